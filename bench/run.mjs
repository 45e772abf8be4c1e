// npm run bench: the service beside a bare server on one database, in alternating rounds. Read the ratios, not the figures.
// BENCH_SECTIONS chooses among operations, mcp, processes, delivery, memory; BENCH_ROUNDS and BENCH_SECONDS say how long.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { newToken } from '../dist/src/platform/auth/token.js';
import { SecretBox } from '../dist/src/platform/crypto/secret-box.js';
import { measureDelivery, RECEIVER } from './delivery.mjs';
import { compare, load, rssMb } from './measure.mjs';
import { measureProcesses } from './processes.mjs';
import { seed } from './seed.mjs';
import { freePort, start, startService, stop, withDatabase } from './service.mjs';

const STORES = 200;
const ORDERS = 100_000;
const OPERATIONS = ['get_order', 'list_orders', 'set_order_status', 'ship_order'];
/** A million calls, as shops make them: mostly reads, some by agents. */
const MEMORY_ROUNDS = Number(process.env.BENCH_MEMORY_ROUNDS ?? 10);
const MEMORY_ROUND = [
  { operation: 'get_order', calls: 70_000 },
  { operation: 'list_orders', calls: 10_000 },
  { operation: 'set_order_status', calls: 5_000 },
  { operation: 'get_order', mcp: '2025-11-25', calls: 7_500 },
  { operation: 'get_order', mcp: '2026-07-28', calls: 7_500 },
];
const GOALS = {
  get_order: [0.6, 0.75],
  list_orders: [0.65, 0.8],
  set_order_status: [0.55, 0.7],
  ship_order: [0.55, 0.7],
  'get_order over MCP 2025-11-25': [0.4, 0.6],
  'get_order over MCP 2026-07-28': [0.4, 0.6],
  'two processes': [1.6, 1.8],
  'deliveries a second': [1_000, 3_000],
};
const here = import.meta.dirname;
const sections = new Set((process.env.BENCH_SECTIONS ?? 'operations,mcp,processes,delivery,memory').split(','));
const report = {
  machine: `${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.version,
  at: new Date().toISOString(),
};
const table = [];
const judge = (what, measured, basis) => table.push({ what, measured, goal: GOALS[what][0], stretch: GOALS[what][1], basis });

async function measureOperations(database, stores, service, options) {
  const port = await freePort();
  const env = { PORT: String(port), OWNER_URL: database.url, STORE_URL: database.storeUrl, STORES: stores.join(',') };
  const bare = await start(path.join(here, 'bare.mjs'), env, 'ready');
  const targets = { bare: { ports: [port], pids: [bare.pid] }, service };
  report.operations = [];
  for (const operation of OPERATIONS) {
    const result = await compare(operation, targets, { ...options, operation });
    report.operations.push(result);
    judge(operation, result.ratio, 'of the bare server');
  }
  await stop(bare);
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
  table.push({
    what: 'RSS after a million calls, MB',
    measured: samples.at(-1),
    goal: '< 250',
    stretch: '< 180',
    basis: `${calls} calls`,
  });
}

await withDatabase(async (database) => {
  const receiverPort = await freePort();
  const box = new SecretBox([database.key]);
  const { stores, tokens } = await seed(database.url, {
    stores: STORES,
    orders: ORDERS,
    newToken,
    webhookUrl: `http://127.0.0.1:${receiverPort}/`,
    sealedSecret: (id) => box.seal('whsec_bench', `webhook:${id}`),
  });
  const options = { orders: ORDERS, tokens };
  const started = await startService(database);
  const service = { ports: [started.port], pids: [started.pid] };
  if (sections.has('operations')) await measureOperations(database, stores, service, options);
  if (sections.has('mcp')) {
    report.mcp = [];
    for (const mcp of ['2025-11-25', '2026-07-28']) {
      const what = `get_order over MCP ${mcp}`;
      const result = await compare(what, { HTTP: service, MCP: { ...service, mcp } }, { ...options, operation: 'get_order' });
      report.mcp.push(result);
      judge(what, result.ratio, 'of get_order over HTTP');
    }
  }
  if (sections.has('memory')) await measureMemory(service, options);
  await stop(started.child);
  if (sections.has('processes')) {
    report.processes = await measureProcesses(database, options);
    judge('two processes', report.processes.ratio, `of one, each with ${report.processes.shareOfCore} of a core`);
  }
  if (sections.has('delivery')) {
    const receiver = await start(RECEIVER, { PORT: String(receiverPort) }, 'ready');
    report.delivery = await measureDelivery(database, receiver, options);
    judge('deliveries a second', report.delivery.sustained, `for a minute, bodies of ${report.delivery.bodyBytes} bytes`);
    const { p95, changesPerSecond } = report.delivery.steady;
    table.push({
      what: 'commit to POST, p95 in ms',
      measured: p95,
      goal: '< 100',
      stretch: '',
      basis: `at ${changesPerSecond} changes a second`,
    });
  }
});
console.log(`\n${report.machine}, Node ${report.node}`);
console.table(table);
report.table = table;
mkdirSync(path.join(here, 'results'), { recursive: true });
writeFileSync(path.join(here, 'results', 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
