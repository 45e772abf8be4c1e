// Connections to the database end at any moment and in any state, and Redis drops its clients: the processes
// live, and each call ends with its own answer or with one clear failure.
import { createServer, connect } from 'node:net';
import { paced } from '../../../support/waiting/paced.mjs';
import { INTERNAL_ERROR, Unavailable, WHILE_AWAY } from '../../../../dist/src/platform/errors.js';
import { until } from '../figures.mjs';
import { underWay } from '../limits.mjs';

/** Nothing that is asked may stay without an answer for longer, in milliseconds. */
const BOUND_MS = 10_000;
/** Those that a connection is ended in. */
const STATES = ['starting', 'idle', 'active', 'idle in transaction'];
const FAILURES = [
  INTERNAL_ERROR,
  ...Object.values(WHILE_AWAY).map((message) => new Unavailable(message)),
].map((error) => JSON.stringify(error.envelope()));

/** A way to the database on which connections can be cut while they are opened. */
async function cuttable(url) {
  const { hostname, port } = new URL(url);
  const sockets = new Set();
  const way = { cutting: false, cut: 0, ports: new Set() };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname, () => {
      const { localPort } = far;
      way.ports.add(localPort);
      far.on('close', () => way.ports.delete(localPort));
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
    if (!way.cutting || Math.random() > 0.3) return;
    void paced(Math.random() * 15).then(() => {
      way.cut++;
      near.resetAndDestroy();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  way.url = url.replace(`:${port}/`, `:${server.address().port}/`);
  way.close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return way;
}

/**
 * Ends random backends of the service, in whatever state they are, now and then all of them. They are found
 * by the ports of the way that they come by: a backend that is starting has no application name yet, and
 * could as well be one of the test.
 * @param ended is told how many, by state
 */
async function terminate(lab, way, isOver, ended) {
  for (let i = 1; !isOver(); i++) {
    const rows = await lab.query(
      `select coalesce(state, 'starting') as state, pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and client_port = any($2) order by random() limit $1`,
      [i % 100 === 0 ? 1_000 : 1, [...way.ports]],
    );
    for (const { state } of rows) ended[state] = (ended[state] ?? 0) + 1;
    await paced(Math.random() * 50);
  }
}

/**
 * Holds the orders for a moment, over and over, so that reads and transactions are under way when their
 * connection ends.
 */
async function hold(lab, isOver) {
  const client = await lab.owner.connect();
  while (!isOver()) {
    await client.query('begin');
    await client.query('lock table orders in access exclusive mode');
    await paced(150);
    await client.query('commit');
    await paced(350);
  }
  client.release();
}

/**
 * Asks without pause for what belongs to one store only. Whatever else than that or an internal error comes
 * is kept.
 */
async function ask({ writer, stores }, isOver, seen) {
  while (!isOver()) {
    const store = stores[Math.floor(Math.random() * stores.length)];
    const orderId = store.orders[Math.floor(Math.random() * store.orders.length)];
    const [operation, input, isOwn] = [
      ['get_order', { orderId }, (data) => data.id === orderId],
      [
        'list_orders',
        { take: 100 },
        ({ items }) => items.length === 20 && items.every(({ id }) => store.orders.includes(id)),
      ],
      ['get_analytics', {}, (data) => data.orderCount === 20],
      ['add_order_note', { orderId, note: 'seen' }, (data) => data.orderId === orderId],
    ][Math.floor(Math.random() * 4)];
    const started = performance.now();
    const answer = await writer.call(operation, input, store).catch((error) => ({ text: error.message }));
    seen.slowest = Math.max(seen.slowest, performance.now() - started);
    if (answer.status === 200 && isOwn(answer.json.data)) seen.right++;
    else if (answer.status >= 500 && FAILURES.includes(answer.text)) seen.failed++;
    else seen.wrong.push(`${operation}: ${answer.status ?? ''} ${answer.text.slice(0, 200)}`);
  }
}

/** @param seconds how long the connections are ended at least */
async function ended(lab, seconds) {
  const way = await cuttable(lab.postgres.url);
  try {
    return await lab.stage({ redis: lab.redis !== null, env: { DATABASE_URL: way.url } }, async (stage) => {
      const { writer, stores, web, deliverers } = stage;
      const seen = { right: 0, failed: 0, wrong: [], slowest: 0 };
      let over = false;
      const isOver = () => over;
      const states = {};
      const missed = () => STATES.filter((state) => !states[state]);
      // A state that lasts for moments is met by chance: the longer the surer.
      const ending = async () => {
        await paced(seconds * 1000);
        await until(() => missed().length === 0, 5 * seconds * 1000);
        over = true;
      };
      const asking = Array.from({ length: 12 }, () => ask(stage, isOver, seen));
      const changing = writer.during(ending());
      way.cutting = true;
      const began = performance.now();
      const dropping = setInterval(
        () => void lab.redis?.command('client', 'kill', 'type', 'normal').catch(() => undefined),
        300,
      );
      await Promise.all([terminate(lab, way, isOver, states), hold(lab, isOver), changing, ...asking]);
      clearInterval(dropping);
      const took = Math.round((performance.now() - began) / 1000);
      way.cutting = false;
      const problems = [];
      if (![web, ...deliverers].every(({ running }) => running))
        problems.push(`a process ended: ${web.output.slice(-600)}`);
      if (writer.unanswered > 0)
        problems.push(`${writer.unanswered} changes got no answer: ${writer.lastFailure}`);
      const slowest = Math.round(
        Math.max(seen.slowest, ...writer.acknowledged.map(({ milliseconds }) => milliseconds)),
      );
      if (slowest > BOUND_MS) problems.push(`a call took ${slowest} ms`);
      const wrong = [
        ...seen.wrong,
        ...writer.refusals.filter(({ text }) => !FAILURES.includes(text)).map(({ text }) => text),
      ];
      if (wrong.length > 0)
        problems.push(`${wrong.length} answers were neither right nor a clear failure: ${wrong[0]}`);
      for (const state of missed()) problems.push(`no connection was ended while ${state}: the fault missed`);
      if (problems.length === 0) await stage.quiet();
      const [ended, failed] = [
        Object.values(states).reduce((sum, n) => sum + n, 0),
        seen.failed + writer.refusals.length,
      ];
      const done =
        `${ended} backends ended and ${way.cut} connections cut in ${took} s: ` +
        `${seen.right + writer.acknowledged.length} calls right, ${failed} failed, slowest ${slowest} ms`;
      return { done, ...(await stage.verdict({ repeats: underWay(1, stores), problems })) };
    });
  } finally {
    await way.close();
  }
}

export const faults = [
  { id: 'F26', name: 'connections ended', run: (lab, { short }) => ended(lab, short ? 10 : 30) },
];
