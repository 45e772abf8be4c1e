// npm run test:load: reads and writes at a steady rate for LOAD_SECONDS (600), LOAD_RATE (600) calls a
// second; exit code 1 on an error or a leak.
import path from 'node:path';
import { paced } from '../support/waiting/paced.mjs';
import { percentile, table } from '../faults/suite/figures.mjs';
import { Lab } from '../faults/suite/harness.mjs';

const SECONDS = Number(process.env.LOAD_SECONDS ?? 600);
const RATE = Number(process.env.LOAD_RATE ?? 600);
const STORES = 50;
const ORDERS_EACH = 100;
/**
 * After the first quarter caches are warm and pools are filled: from then on memory may grow by this share at
 * most, and pools not at all.
 */
const RSS_GROWTH = 0.3;
/**
 * Half reads, half changes, each of which is delivered: at 600 calls a second the 300 deliveries a second of
 * the bench.
 */
const MIX = [
  'get_order',
  'change',
  'list_orders',
  'change',
  'get_order',
  'change',
  'list_customers',
  'change',
];

/** Sends the mix at the rate and counts what came back. */
class Load {
  errors = [];
  latencies = [];
  calls = 0;

  constructor(writer) {
    this.writer = writer;
  }

  async run() {
    const started = performance.now();
    const underWay = new Set();
    for (let sent = 0; performance.now() < started + SECONDS * 1000; sent++) {
      const wait = started + (sent / RATE) * 1000 - performance.now();
      if (wait > 1) await paced(wait);
      while (underWay.size >= 128) await Promise.race(underWay);
      const call = this.#send(MIX[sent % MIX.length], sent).finally(() => underWay.delete(call));
      underWay.add(call);
    }
    await Promise.all(underWay);
    this.perSecond = this.calls / ((performance.now() - started) / 1000);
  }

  async #send(operation, n) {
    const { writer } = this;
    const started = performance.now();
    if (operation === 'change') await writer.change();
    else await this.#read(operation, writer.orders[(n * 7) % writer.orders.length]);
    this.calls++;
    // A sample is enough, and keeps this process flat too.
    if (n % 10 === 0) this.latencies.push(performance.now() - started);
    // The harness remembers every change to compare it afterwards; here only failures matter.
    writer.acknowledged.length = 0;
  }

  async #read(operation, { id, store }) {
    const input = operation === 'get_order' ? { orderId: id } : { take: 20 };
    const answer = await this.writer
      .call(operation, input, store)
      .catch((error) => ({ status: error.message }));
    if (answer.status !== 200) this.errors.push(`${operation}: ${answer.status}`);
  }
}

/** Looks at the service and its connections now and then. */
class Watch {
  samples = [];

  constructor(lab, service) {
    Object.assign(this, { lab, service, started: Date.now() });
    this.timer = setInterval(() => void this.look(), Math.max(500, (SECONDS * 1000) / 60));
  }

  async look() {
    this.service.signal('SIGUSR2');
    await paced(200);
    const [{ count }] = await this.lab.query(
      `select count(*)::int from pg_stat_activity where application_name like 'shop-%'`,
    );
    this.samples.push({
      at: (Date.now() - this.started) / 1000,
      rssMb: this.service.rssMb,
      connections: count,
    });
  }

  /** Largest RSS within a span of the run, from and to as shares of it. */
  peak(from, to) {
    const within = this.samples.filter(({ at }) => at >= from * SECONDS && at <= to * SECONDS);
    return Math.max(...within.map(({ rssMb }) => rssMb));
  }

  connections(from, to) {
    const within = this.samples.filter(({ at }) => at >= from * SECONDS && at <= to * SECONDS);
    return Math.max(...within.map(({ connections }) => connections));
  }
}

const lab = await Lab.open();
let code = 1;
const options = {
  stores: STORES,
  orders: ORDERS_EACH,
  roles: 'web,deliver',
  deliverers: 0,
  redis: lab.redis !== null,
  preload: path.join(import.meta.dirname, 'collect.mjs'),
};
try {
  code = await lab.stage(options, measure);
} finally {
  await lab.close();
}
process.exit(code);

async function measure(stage) {
  stage.receiver.keepsPosts = false;
  const load = new Load(stage.writer);
  const watch = new Watch(lab, stage.web);
  await watch.look();
  await load.run();
  await watch.look();
  clearInterval(watch.timer);
  await stage.quiet();
  const { refusals, unanswered } = stage.writer;
  const errors = [...load.errors, ...refusals.map(({ status, text }) => `change: ${status} ${text}`)];
  if (unanswered > 0)
    errors.push(`${unanswered} changes got no answer, the last because of ${stage.writer.lastFailure}`);
  const figures = [
    ['calls', load.calls],
    ['calls a second', `${Math.round(load.perSecond)} of ${RATE} wanted`],
    [
      'p50 / p99 of calls, ms',
      `${Math.round(percentile(load.latencies, 0.5))} / ${Math.round(percentile(load.latencies, 0.99))}`,
    ],
    ['deliveries', stage.receiver.count],
    ['errors', errors.length],
    ['RSS at the start, MiB', watch.samples[0].rssMb],
    ['RSS in the middle, MiB', watch.peak(0.4, 0.6)],
    ['RSS at the end, MiB', watch.peak(0.9, 2)],
    ['PostgreSQL connections at the start', watch.samples[0].connections],
    ['PostgreSQL connections at the end', watch.samples.at(-1).connections],
  ];
  process.stdout.write(
    `${table(
      ['figure', 'value'],
      figures.map(([figure, value]) => ({ figure, value })),
    )}\n`,
  );
  const problems = [...errors.slice(0, 10), ...leaks(watch)];
  for (const problem of problems) process.stdout.write(`BROKEN ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

function leaks(watch) {
  const [early, late] = [watch.peak(0, 0.25), watch.peak(0.75, 2)];
  const [first, last] = [watch.connections(0, 0.25), watch.connections(0.75, 2)];
  return [
    ...(late > early * (1 + RSS_GROWTH)
      ? [`RSS grew from ${early} to ${late} MiB after the first quarter`]
      : []),
    ...(last > first ? [`PostgreSQL connections grew from ${first} to ${last} after the first quarter`] : []),
  ];
}
