// npm run bench: the service beside a bare server on one database, in alternating rounds. Read the ratios, not the figures.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { newToken } from '../dist/src/platform/auth/token.js';
import { SecretBox } from '../dist/src/platform/crypto/secret-box.js';
import { seed } from './seed.mjs';
import { freePort, median, round, start, startService, stop, withDatabase } from './service.mjs';

const STORES = 200;
const ORDERS = 100_000;
const CONNECTIONS = 32;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const OPERATIONS = ['get_order', 'list_orders', 'set_order_status'];
const here = import.meta.dirname;

async function load(options) {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(here, 'load.mjs'), JSON.stringify(options)], {
    maxBuffer: 1e8,
  });
  return JSON.parse(stdout);
}

/** User and system time of a process so far, in microseconds (100 ticks a second). */
function cpuMicros(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function compare(operation, targets, common) {
  const results = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
  for (let i = 0; i < ROUNDS; i++) {
    const names = i % 2 === 0 ? Object.keys(targets) : Object.keys(targets).reverse();
    for (const name of names) {
      const before = cpuMicros(targets[name].pid);
      const result = await load({ ...common, port: targets[name].port, operation, seconds: SECONDS, connections: CONNECTIONS });
      results[name].push({ ...result, cpuPerCall: (cpuMicros(targets[name].pid) - before) / result.calls });
    }
  }
  const ratios = results.service.map(({ perSecond }, i) => perSecond / results.bare[i].perSecond);
  const row = (name) => ({
    perSecond: round(median(results[name].map((r) => r.perSecond)), 0),
    p50: round(median(results[name].map((r) => r.p50))),
    p99: round(median(results[name].map((r) => r.p99))),
    cpuPerCall: round(median(results[name].map((r) => r.cpuPerCall)), 0),
    errors: results[name].reduce((sum, r) => sum + r.errors, 0),
  });
  return {
    operation,
    bare: row('bare'),
    service: row('service'),
    ratio: round(median(ratios)),
    spread: [round(Math.min(...ratios)), round(Math.max(...ratios))],
  };
}

const report = {
  machine: `${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.version,
  operations: [],
};

await withDatabase(async (database) => {
  const [barePort, receiverPort] = [await freePort(), await freePort()];
  const box = new SecretBox([database.key]);
  const { stores, tokens } = await seed(database.url, {
    stores: STORES,
    orders: ORDERS,
    newToken,
    webhookUrl: `http://127.0.0.1:${receiverPort}/`,
    sealedSecret: (id) => box.seal('whsec_bench', `webhook:${id}`),
  });
  const receiver = await start(path.join(here, 'receiver.mjs'), { PORT: String(receiverPort) }, 'ready');
  const bareEnv = { PORT: String(barePort), OWNER_URL: database.url, STORE_URL: database.storeUrl, STORES: stores.join(',') };
  const bare = await start(path.join(here, 'bare.mjs'), bareEnv, 'ready');
  const service = await startService(database);
  const targets = { bare: { port: barePort, pid: bare.pid }, service };
  const common = { orders: ORDERS, tokens };
  for (const operation of OPERATIONS)
    await load({ ...common, port: service.port, operation, seconds: 2, connections: CONNECTIONS });
  for (const operation of OPERATIONS) {
    const result = await compare(operation, targets, common);
    report.operations.push(result);
    console.log(`\n${operation}: ratio ${result.ratio} (${result.spread.join('..')})`);
    console.table({ bare: result.bare, service: result.service });
  }
  report.rssMb = round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))[1]) / 1024, 0);

  // What the writes above left due is delivered as fast as it goes; then a steady 300 changes a second.
  await stop(service.child);
  await stop(bare);
  const owner = new pg.Client({ connectionString: database.url });
  // When the work below fails, the database ends first; that must not hide the failure.
  owner.on('error', () => undefined);
  await owner.connect();
  const pending = async () =>
    Number((await owner.query(`select count(*) from webhook_deliveries where status = 'pending'`)).rows[0].count);
  await owner.query(
    `delete from webhook_deliveries where (store_id, id) in (select store_id, id from webhook_deliveries offset 60000)`,
  );
  const backlog = await pending();
  const delivering = await startService(database, { SHOP_ROLES: 'web,deliver' });
  const drainStarted = performance.now();
  const left = await pending();
  while ((await pending()) > 0) await sleep(50);
  report.drainPerSecond = round(left / ((performance.now() - drainStarted) / 1000), 0);
  console.log(`\ndelivery: of ${backlog} due deliveries, the last ${left} at ${report.drainPerSecond} a second`);
  receiver.kill('SIGUSR2');
  await sleep(200);
  receiver.output = '';
  const steady = {
    ...common,
    port: delivering.port,
    operation: 'set_order_status',
    connections: CONNECTIONS,
    seconds: 20,
    ratePerSecond: 300,
  };
  const { perSecond } = await load(steady);
  await sleep(1_500);
  receiver.kill('SIGUSR2');
  await sleep(300);
  report.delivery = { changesPerSecond: round(perSecond, 0), ...JSON.parse(receiver.output) };
  console.log('commit to POST at a steady rate, ms:');
  console.table({ delivery: report.delivery });
  await owner.end();
  await stop(delivering.child);
});
mkdirSync(path.join(here, 'results'), { recursive: true });
writeFileSync(path.join(here, 'results', 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
console.log(`\n${report.machine}, Node ${report.node}; RSS of the service after the load: ${report.rssMb} MB`);
