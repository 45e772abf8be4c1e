// npm run bench: compares the service with a bare server on one database, in alternating rounds. The ratios
// matter, not the absolute figures. `npm run bench -- --short` gives a first impression in a few minutes.
// BENCH_SECTIONS chooses among operations, mcp, processes, delivery and memory. BENCH_ROUNDS and
// BENCH_SECONDS set how often and how long each is measured.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { newToken } from '../dist/src/platform/auth/token.js';
import { SecretBox } from '../dist/src/platform/crypto/secret-box.js';
import { measureDelivery, RECEIVER } from './delivery.mjs';
import { compare, isShort, load, rssMb } from './measure.mjs';
import { fold } from './growth/seed.mjs';
import { measureProcesses } from './processes.mjs';
import { seed } from './seed.mjs';
import { freePort, start, startBare, startService, stop, withDatabase } from './service.mjs';

const STORES = 200;
const ORDERS = 100_000;
const OPERATIONS = ['get_order', 'list_orders', 'set_order_status', 'ship_order'];
/** A million calls with a mix that is typical for shops: mostly reads, some of them by agents. */
const MEMORY_ROUNDS = Number(process.env.BENCH_MEMORY_ROUNDS ?? (isShort ? 1 : 10));
const MEMORY_ROUND = [
  { operation: 'get_order', calls: 70_000 },
  { operation: 'list_orders', calls: 10_000 },
  { operation: 'set_order_status', calls: 5_000 },
  { operation: 'get_order', mcp: '2025-11-25', calls: 7_500 },
  { operation: 'get_order', mcp: '2026-07-28', calls: 7_500 },
];
/** Calls per second, as a multiple of the bare server's, at least. */
const RATE_GOALS = { get_order: 0.5, list_orders: 0.6, set_order_status: 0.7, ship_order: 0.7 };
/** p99 of every operation, as a multiple of the bare server's, at most: at full load, and at half of it. */
const P99_GOAL = 2;
const P99_GOAL_AT_HALF = 1.5;
const MEMORY_GOAL_MB = 200;
const here = import.meta.dirname;
const sections = new Set(
  (process.env.BENCH_SECTIONS ?? 'operations,mcp,processes,delivery,memory').split(','),
);
const report = {
  machine: `${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.version,
  at: new Date().toISOString(),
};
const table = [];

/** Adds a line to the table printed at the end. The goal, if any, is `{ atLeast }` or `{ atMost }`. */
function judge(what, measured, { atLeast, atMost } = {}, range = '') {
  const line = { what, measured, goal: '', met: '', 'range of the rounds': range };
  if (atLeast !== undefined) Object.assign(line, { goal: `at least ${atLeast}`, met: measured >= atLeast });
  if (atMost !== undefined) Object.assign(line, { goal: `at most ${atMost}`, met: measured <= atMost });
  table.push(line);
}

/** Adds the results of `compare` to the table. @param goals by the name of the figure */
function judgeRatios(what, of, { ratios }, goals = {}) {
  const names = { cpuMicros: 'processor time', perSecond: 'calls a second', p50: 'p50', p99: 'p99' };
  for (const [key, { ratio, range }] of Object.entries(ratios))
    judge(`${what}, ${names[key]} of ${of}`, ratio, goals[key], range.join(' to '));
}

/**
 * Compares the orders that the two servers answer to the same call, since figures of different answers mean
 * nothing.
 * @throws Error if they differ in more than the time of a change
 */
async function expectSameAnswers(operation, ports, token, input) {
  const answers = ports.map(async (port) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const { data } = await response.json();
    return JSON.stringify(data.order ?? data).replaceAll(/"updatedAt":"[^"]*"/g, '');
  });
  const [one, other] = await Promise.all(answers);
  if (one !== other) throw new Error(`${operation} is answered in two ways:\n${one}\n${other}`);
}

async function measureOperations(database, stores, service, options) {
  const { child, port, pid } = await startBare(database, stores);
  const firstInputs = {
    get_order: { orderId: 1 },
    list_orders: { take: 20, cursor: String(ORDERS - STORES + 1) },
    set_order_status: { orderId: 1, status: 'PROCESSING' },
    ship_order: { orderId: 1, carrier: 'Post', trackingNumber: 'TRACK-1' },
  };
  const targets = { bare: { ports: [port], pids: [pid] }, service };
  report.operations = [];
  for (const operation of OPERATIONS) {
    await expectSameAnswers(operation, [port, service.ports[0]], options.tokens[0], firstInputs[operation]);
    const result = await compare(operation, targets, { ...options, operation });
    judgeRatios(operation, 'the bare server', result, {
      perSecond: { atLeast: RATE_GOALS[operation] },
      p99: { atMost: P99_GOAL },
    });
    const half = Math.floor(Math.min(...result.rows.map(({ perSecond }) => perSecond)) / 2);
    const what = `${operation} at half load`;
    const atHalf = await compare(what, targets, { ...options, operation, ratePerSecond: half });
    judgeRatios(what, 'the bare server', atHalf, { p99: { atMost: P99_GOAL_AT_HALF } });
    report.operations.push(result, atHalf);
  }
  await stop(child);
}

async function measureMemory({ ports, pids }, options) {
  const samples = [rssMb(pids[0])];
  for (let i = 0; i < MEMORY_ROUNDS; i++) {
    for (const part of MEMORY_ROUND) await load({ ...options, ...part, ports });
    samples.push(rssMb(pids[0]));
  }
  const calls = MEMORY_ROUNDS * MEMORY_ROUND.reduce((sum, { calls }) => sum + calls, 0);
  console.log(`\nRSS in MB, at first and after each tenth of ${calls} calls: ${samples.join(', ')}`);
  report.memory = { calls, rssMb: samples };
  judge(
    `resident memory after ${calls} calls, MB`,
    samples.at(-1),
    { atMost: MEMORY_GOAL_MB },
    `${Math.min(...samples)} to ${Math.max(...samples)}`,
  );
}

await withDatabase(async (database) => {
  const receiverPort = await freePort();
  const hangingPort = await freePort();
  const box = new SecretBox([database.key]);
  const sealedSecret = (id) => box.seal('whsec_bench', `webhook:${id}`);
  const { stores, tokens } = await seed(database.url, {
    stores: STORES,
    orders: ORDERS,
    newToken,
    webhookUrl: `http://127.0.0.1:${receiverPort}/`,
    sealedSecret,
  });
  // What a shop does day by day is not left for the minutes that are measured.
  await fold(database.systemUrl);
  const options = { orders: ORDERS, tokens };
  const started = await startService(database);
  const service = { ports: [started.port], pids: [started.pid] };
  if (sections.has('operations')) await measureOperations(database, stores, service, options);
  if (sections.has('mcp')) {
    report.mcp = [];
    for (const mcp of ['2025-11-25', '2026-07-28']) {
      const what = `get_order over MCP ${mcp}`;
      const result = await compare(
        what,
        { HTTP: service, MCP: { ...service, mcp } },
        { ...options, operation: 'get_order' },
      );
      report.mcp.push(result);
      judgeRatios(what, 'HTTP', result);
    }
  }
  if (sections.has('memory')) await measureMemory(service, options);
  await stop(started.child);
  if (sections.has('processes')) {
    report.processes = await measureProcesses(database, options);
    const { ratios, shareOfCore } = report.processes;
    const { ratio, range } = ratios.perSecond;
    judge(
      `two processes of one, each with ${shareOfCore} of a core, calls a second`,
      ratio,
      {},
      range.join(' to '),
    );
  }
  if (sections.has('delivery')) {
    const receiver = await start(
      RECEIVER,
      { PORT: String(receiverPort), HANGING_PORT: String(hangingPort) },
      'ready',
    );
    report.delivery = await measureDelivery(
      database,
      receiver,
      { hangingUrl: `http://127.0.0.1:${hangingPort}/`, sealedSecret },
      options,
    );
    const { sustained, besideHanging, hanging, bodyBytes, steady } = report.delivery;
    judge(`deliveries a second, bodies of ${bodyBytes} bytes`, sustained.perSecond);
    judge(`deliveries a second beside ${hanging} endpoints that hang`, besideHanging.perSecond);
    judge(
      `commit to POST at ${steady.changesPerSecond} changes a second, p95 in ms`,
      steady.p95,
      {},
      `p50 ${steady.p50}, p99 ${steady.p99}`,
    );
  }
});
console.log(`\n${report.machine}, Node ${report.node}`);
console.table(table);
report.table = table;
mkdirSync(path.join(here, 'results'), { recursive: true });
writeFileSync(path.join(here, 'results', 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
