import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { eventually } from '../support/eventually.js';
import { freePort, ServiceProcess } from '../support/servers/service-process.js';
import { type TestStore, useShop } from '../support/test-app.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { itWhenSlow } from '../support/slow.js';

/** The processes that a process has started, by the system's own account. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Several processes on one port (docs/operations.md, Processes). */
describe('SHOP_PROCESSES', () => {
  const LIMIT = 40;
  let store: TestStore;
  let other: TestStore;
  let service: ServiceProcess;

  const workers = () => childrenOf(service.child.pid!);
  const figures = async () =>
    (await fetch(`${service.url}/metrics`, { headers: { connection: 'close' } })).text();
  /** One call on a connection of its own. @returns its status, or the error of the connection */
  const call = (token: string, url = service.url) =>
    new Promise<number | string>((resolve) => {
      const headers = { Authorization: `Bearer ${token}`, Connection: 'close' };
      const request = httpRequest(
        `${url}/v1/list_brands`,
        { method: 'POST', headers, agent: false },
        (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode!));
        },
      );
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      request.end();
    });

  const app = useShop(async () => ({ database: await preparedDatabase() }));
  beforeAll(async () => {
    store = await app.store();
    other = await app.store();
    service = await ServiceProcess.start({
      SHOP_PROCESSES: '2',
      DATABASE_URL: app.database.ownerUrl,
      ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
      RATE_LIMIT_READ: String(LIMIT),
      RATE_LIMIT_BAD_TOKENS: '100000',
    });
    await eventually('a second process is ready', async () =>
      /shop_ready\{process="2"\} 1/.test(await figures()),
    );
  });
  afterAll(async () => {
    await service.kill();
  });

  it('shares the port among the given number of processes, and joins their metrics at /metrics', async () => {
    expect(workers()).toHaveLength(2);
    for (let i = 0; i < 10; i++) expect(await call(store.tokens.read)).toBe(200);
    let text = '';
    // Busy, a process may be missing from one look at all of them.
    await eventually('both processes have figures', async () => {
      text = await figures();
      return [1, 2].every((number) => text.includes(`\nshop_ready{process="${number}"} 1\n`));
    });
    const counted = new RegExp(
      '^shop_request_duration_seconds_count' +
        '\\{route="/v1/list_brands",status="200",process="(\\d)"\\} (\\d+)$',
      'gm',
    );
    const calls = [...text.matchAll(counted)];
    expect(calls.map(([, number]) => number)).toEqual(['1', '2']);
    expect(calls.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(10);
    expect(text.match(/^# TYPE shop_ready gauge$/gm)).toHaveLength(1);
    expect(text).toMatch(/^shop_ready\{process="1"\} 1\nshop_ready\{process="2"\} 1$/m);
    expect(text).toMatch(/^shop_process_restarts_total 0$/m);
  });

  it('counts a budget once, whichever process serves', async () => {
    const statuses = await Promise.all(Array.from({ length: LIMIT + 15 }, () => call(other.tokens.read)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  it('restarts a process that has died, while the other one serves', async () => {
    const before = workers();
    process.kill(before[0], 'SIGKILL');
    await eventually('the process has ended', () => !isRunning(before[0]));
    expect((await fetch(`${service.url}/health/ready`, { headers: { connection: 'close' } })).status).toBe(
      200,
    );
    await eventually('it is started again', async () =>
      /^shop_process_restarts_total 1$/m.test(await figures()),
    );
    await eventually(
      'two processes are ready',
      async () => ((await figures()).match(/^shop_ready\{.*\} 1$/gm) ?? []).length === 2,
    );
    expect(workers().filter((pid) => !before.includes(pid))).toHaveLength(1);
  });

  it('replaces all processes at SIGHUP, one after the other, without refusing a connection', async () => {
    const before = workers();
    const results: (number | string)[] = [];
    let isDone = false;
    let resets = 0;
    const caller = (async () => {
      while (!isDone) {
        // A token that is not one costs no budget, and takes the same way.
        const result = await call('shop_live_nobody');
        // Busy, the parent may give a connection to a process that is just ending: nothing comes, and callers
        // try again.
        if (result === 'ECONNRESET') resets++;
        else results.push(result);
      }
    })();
    service.child.kill('SIGHUP');
    await eventually('it is reloaded', () => service.output.includes('"msg":"reloaded"'));
    isDone = true;
    await caller;
    expect(workers().filter((pid) => before.includes(pid))).toEqual([]);
    expect(workers()).toHaveLength(2);
    expect(results.length).toBeGreaterThan(10);
    expect([...new Set(results)]).toEqual([401]);
    // There is one connection at a time, and so at most one at each end.
    expect(resets).toBeLessThanOrEqual(before.length);
  });

  it('stops all processes at SIGTERM', async () => {
    const all = workers();
    expect(await service.stop()).toBe(0);
    expect(all.filter(isRunning)).toEqual([]);
    expect(await call(store.tokens.read)).toBe('ECONNREFUSED');
  });

  itWhenSlow('exits with the reason if a process cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const env = {
      SHOP_PROCESSES: '2',
      METRICS_PORT: String(port),
      DATABASE_URL: app.database.ownerUrl,
      ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
    };
    await expect(ServiceProcess.start(env)).rejects.toThrow(
      /ended with 1: METRICS_PORT: the service cannot listen/,
    );
    taken.close();
  });

  itWhenSlow(
    'makes the parent own the embedded database, and shows the demo store once',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'shop-processes-'));
      try {
        const embedded = await ServiceProcess.start({
          SHOP_PROCESSES: '2',
          DATA_DIR: folder,
          PORT: String(await freePort()),
        });
        await eventually('both are ready', async () =>
          /shop_ready\{process="2"\} 1/.test(await (await fetch(`${embedded.url}/metrics`)).text()),
        );
        expect(embedded.output.match(/A demo store was made/g)).toHaveLength(1);
        const [, token] = /read token {3}(\S+)/.exec(embedded.output)!;
        expect(await call(token, embedded.url)).toBe(200);
        expect(await embedded.stop()).toBe(0);
        expect(await findEmbeddedPostgres(folder)).toBeNull();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    180_000,
  );
});
