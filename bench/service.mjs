// What the benchmarks share: a database, our processes on free ports, and stopping them all.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS } from '../dist/migrations/all.js';
import { startEmbeddedPostgres } from '../dist/src/embedded-postgres/embedded-postgres.js';
import { prepareDatabase } from '../dist/src/platform/database/installation/migrate.js';

const children = [];
const KEPT_OUTPUT = 65_536;

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts a Node program and waits until it reports that it is ready. */
export async function start(file, env, readyText) {
  const child = spawn(process.execPath, [file], {
    // A folder without `.env`, because the one in the project's folder belongs to its developer.
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  child.output = '';
  // The latest of it: a million calls log more than a string can hold.
  child.stdout.on('data', (data) => (child.output = `${child.output}${data}`.slice(-KEPT_OUTPUT)));
  while (!child.output.includes(readyText)) {
    if (child.exitCode !== null) throw new Error(`${file} ended`);
    await sleep(20);
  }
  return child;
}

export async function stop(child) {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

/** Starts the service as one process, with budgets that nobody reaches. */
export async function startService(database, env = {}, file = '../dist/src/main.js') {
  const port = await freePort();
  const child = await start(
    path.join(import.meta.dirname, file),
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: database.key,
      RATE_LIMIT_READ: '1000000',
      RATE_LIMIT_WRITE: '1000000',
      // Not development, whose checks cost time, nor production, which has no receivers on this machine.
      NODE_ENV: 'bench',
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      SHOP_ROLES: 'web',
      ...env,
    },
    'is up',
  );
  return { child, pid: child.pid, port };
}

/** Starts the server to compare with (bench/bare.mjs). */
export async function startBare(database, stores, env = {}) {
  const port = await freePort();
  const child = await start(
    path.join(import.meta.dirname, 'bare.mjs'),
    {
      PORT: String(port),
      OWNER_URL: database.url,
      STORE_URL: database.storeUrl,
      STORES: stores.join(','),
      ...env,
    },
    'ready',
  );
  return { child, pid: child.pid, port };
}

/**
 * Runs the benchmark on its own migrated database with default durability, and removes everything afterwards.
 */
export async function withDatabase(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-bench-'));
  const postgres = await startEmbeddedPostgres(folder, { settings: { shared_buffers: '512MB' } });
  try {
    const key = randomBytes(32).toString('base64');
    const { store, system } = await prepareDatabase(postgres.url, [key], MIGRATIONS);
    return await work({ url: postgres.url, storeUrl: store, systemUrl: system, key });
  } finally {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
export const round = (value, digits = 2) => Number(value.toFixed(digits));
