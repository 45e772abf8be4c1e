// npm run bench: the service beside a bare server on one database, in alternating rounds. Read the ratios, not the figures.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MIGRATIONS } from '../dist/migrations/all.js';
import { newToken } from '../dist/src/platform/auth/token.js';
import { SecretBox } from '../dist/src/platform/crypto/secret-box.js';
import { startEmbeddedPostgres } from '../dist/src/platform/database/embedded-postgres.js';
import { prepareDatabase } from '../dist/src/platform/database/prepare-database.js';
import { seed } from './seed.mjs';

const STORES = 200;
const ORDERS = 100_000;
const CONNECTIONS = 32;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const OPERATIONS = ['get_order', 'list_orders', 'set_order_status'];
const here = import.meta.dirname;
const children = [];

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function start(file, env, readyText) {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  child.output = '';
  child.stdout.on('data', (data) => (child.output += data));
  while (!child.output.includes(readyText)) {
    if (child.exitCode !== null) throw new Error(`${file} ended`);
    await sleep(20);
  }
  return child;
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

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

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const round = (value, digits = 2) => Number(value.toFixed(digits));

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

const folder = mkdtempSync(path.join(tmpdir(), 'shop-bench-'));
const postgres = await startEmbeddedPostgres(folder, { settings: { shared_buffers: '512MB' } });
const report = {
  machine: `${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.version,
  operations: [],
};
try {
  const key = randomBytes(32).toString('base64');
  const urls = await prepareDatabase(postgres.url, [key], MIGRATIONS);
  const [barePort, servicePort, receiverPort] = [await freePort(), await freePort(), await freePort()];
  const box = new SecretBox([key]);
  const webhookUrl = `http://127.0.0.1:${receiverPort}/`;
  const { stores, tokens } = await seed(postgres.url, {
    stores: STORES,
    orders: ORDERS,
    newToken,
    webhookUrl,
    sealedSecret: (id) => box.seal('whsec_bench', `webhook:${id}`),
  });
  const receiver = await start(path.join(here, 'receiver.mjs'), { PORT: String(receiverPort) }, 'ready');
  const bare = await start(
    path.join(here, 'bare.mjs'),
    { PORT: String(barePort), OWNER_URL: postgres.url, STORE_URL: urls.store, STORES: stores.join(',') },
    'ready',
  );
  const env = {
    PORT: String(servicePort),
    HOST: '127.0.0.1',
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEY: key,
    RATE_LIMIT_READ: '1000000',
    RATE_LIMIT_WRITE: '1000000',
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    SHOP_ROLES: 'web',
  };
  const service = await start(path.join(here, '../dist/src/main.js'), env, 'is up');
  const targets = { bare: { port: barePort, pid: bare.pid }, service: { port: servicePort, pid: service.pid } };
  const common = { orders: ORDERS, tokens };
  for (const operation of OPERATIONS)
    await load({ ...common, port: servicePort, operation, seconds: 2, connections: CONNECTIONS });
  for (const operation of OPERATIONS) {
    const result = await compare(operation, targets, common);
    report.operations.push(result);
    console.log(`\n${operation}: ratio ${result.ratio} (${result.spread.join('..')})`);
    console.table({ bare: result.bare, service: result.service });
  }
  report.rssMb = round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))[1]) / 1024, 0);

  // What the writes above left due is delivered as fast as it goes; then a steady 300 changes a second.
  await stop(service);
  const pg = (await import('pg')).default;
  const owner = new pg.Client({ connectionString: postgres.url });
  await owner.connect();
  const pending = async () =>
    Number((await owner.query(`select count(*) from webhook_deliveries where status = 'pending'`)).rows[0].count);
  const backlog = Math.min(await pending(), 60_000);
  await owner.query(
    `delete from webhook_deliveries where (store_id, id) in (select store_id, id from webhook_deliveries offset 60000)`,
  );
  const drainStarted = performance.now();
  const delivering = await start(path.join(here, '../dist/src/main.js'), { ...env, SHOP_ROLES: 'web,deliver' }, 'is up');
  while ((await pending()) > 0) await sleep(50);
  report.drainPerSecond = round(backlog / ((performance.now() - drainStarted) / 1000), 0);
  console.log(
    `\ndelivery: ${backlog} due deliveries drained at ${report.drainPerSecond} a second (start of the process included)`,
  );
  receiver.output = '';
  receiver.kill('SIGUSR2');
  await sleep(200);
  receiver.output = '';
  const steady = await load({
    ...common,
    port: servicePort,
    operation: 'set_order_status',
    seconds: 20,
    connections: CONNECTIONS,
    ratePerSecond: 300,
  });
  await sleep(1_500);
  receiver.kill('SIGUSR2');
  await sleep(300);
  report.delivery = { changesPerSecond: round(steady.perSecond, 0), ...JSON.parse(receiver.output) };
  console.log('commit to POST at a steady rate, ms:');
  console.table({ delivery: report.delivery });
  await owner.end();
  await stop(delivering);
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
mkdirSync(path.join(here, 'results'), { recursive: true });
writeFileSync(path.join(here, 'results', 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
console.log(`\n${report.machine}, Node ${report.node}; RSS of the service after the load: ${report.rssMb} MB`);
