import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { processIdentity, readText } from '#process-lock';
import { eventually } from '../support/eventually.js';
import { describeWhenSlow, isSlow, itWhenSlow } from '../support/slow.js';
import { ServiceProcess, shopProcess, WORKING_FOLDER } from '../support/servers/service-process.js';

const ROOT = path.resolve(__dirname, '../..');
const KILLS = isSlow ? 20 : 3;
/** Of a command, until one is caught while it uses the database. */
const MOST_TRIES = 20;
/** Without the demo store, which takes longer than the rest of a start. */
const PRODUCTION = { NODE_ENV: 'production', SHUTDOWN_DELAY: '0' };
const UNLIMITED = '1000000';
const LIMITS = Object.fromEntries(
  ['RATE_LIMIT_WRITE', 'RATE_LIMIT_READ', 'STORE_RATE_LIMIT_WRITE', 'STORE_RATE_LIMIT_READ'].map((name) => [
    name,
    UNLIMITED,
  ]),
);

/** Until it is ready: a service that loses its database while it starts ends. */
async function started(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(env);
  await eventually('it is ready', () => ready(service));
  return service;
}

/** Whether its metrics say that it is ready. */
const ready = async ({ url }: ServiceProcess) =>
  (await (await fetch(`${url}/metrics`)).text()).includes('\nshop_ready 1\n');

/** Makes a store. @returns a token of it that may write */
async function tokenOf(env: Record<string, string>): Promise<string> {
  const owner = ['--owner-email', 'ann@shop.example'];
  const made = await shopProcess(env, 'store', 'create', '--name', 'Corner', '--currency', 'EUR', ...owner);
  const options = ['--store', made.output.id, '--name', 'Till', '--scope', 'write'];
  return (await shopProcess(env, 'token', 'create', ...options)).output.token;
}

const create = (url: string, token: string, slug: string) =>
  fetch(`${url}/v1/create_brand`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: slug, slug }),
  });

/** Creates brands, three at a time, until `end` is called. Calls may fail, by the service's fault only. */
function writing({ url }: ServiceProcess, token: string) {
  const acknowledged = new Set<string>();
  let isOver = false;
  const write = async (writer: number) => {
    for (let i = 0; !isOver; i++) {
      const slug = `brand-${writer}-${i}`;
      const response = await create(url, token, slug);
      await response.arrayBuffer();
      if (response.ok) acknowledged.add(slug);
      else expect(response.status).toBeGreaterThanOrEqual(500);
    }
  };
  const writers = Promise.all([1, 2, 3].map(write));
  const end = () => {
    isOver = true;
    return writers;
  };
  return { acknowledged, end };
}

/** The brands of these that the embedded database does not have. */
async function lost(acknowledged: Set<string>, dataDir: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: (await findEmbeddedPostgres(dataDir))! });
  await client.connect();
  const { rows } = await client
    .query<{ slug: string }>('select slug from brands')
    .finally(() => client.end());
  const kept = new Set(rows.map(({ slug }) => slug));
  return [...acknowledged].filter((slug) => !kept.has(slug));
}

describe('the embedded database', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-watched-'));
  const dataDir = path.join(folder, 'data');
  const env = { ...PRODUCTION, DATA_DIR: dataDir, ...LIMITS };
  let service: ServiceProcess;
  let token: string;

  beforeAll(async () => {
    await start();
    token = await tokenOf(env);
  }, 120_000);
  afterAll(async () => {
    await (service as ServiceProcess | undefined)?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async () => {
    service = await started(env);
  };
  const pidFile = () => path.join(dataDir, 'postgres', 'postmaster.pid');
  /** NaN while there is none. */
  const postmaster = () => Number.parseInt(readText(pidFile()), 10);

  it(`is back after each of ${KILLS} kills under load, and has all that was acknowledged`, async () => {
    const { acknowledged, end } = writing(service, token);
    const grow = async (by: number) => {
      const more = acknowledged.size + by;
      await eventually(`${more} are acknowledged`, () => acknowledged.size >= more);
    };
    try {
      for (let kill = 1; kill <= KILLS; kill++) {
        await grow(1 + Math.floor(Math.random() * 20));
        const before = postmaster();
        process.kill(before, 'SIGKILL');
        await eventually(`it is back after kill ${kill}`, () => ![NaN, before].includes(postmaster()));
      }
      await grow(5);
    } finally {
      await end();
    }
    expect(await lost(acknowledged, dataDir)).toEqual([]);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^shop_disk_free_bytes\S* [1-9]/m);
  }, 300_000);

  const command = () =>
    spawn(process.execPath, [path.join(ROOT, 'dist/src/cli.js'), 'store', 'list'], {
      cwd: WORKING_FOLDER,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      stdio: 'ignore',
    });

  /**
   * Sends a command the signal when it is time. A command is done soon: one that has done all before that was
   * seen is followed by another one. @returns its exit code and the signal that ended it
   */
  async function caught(signal: NodeJS.Signals, isTime: () => unknown): Promise<unknown[]> {
    for (let tries = 1; ; tries++) {
      const child = command();
      const ended = once(child, 'exit');
      const isOver = () => child.exitCode !== null;
      await eventually('it is time, or the command is done', async () => isOver() || (await isTime()));
      child.kill(signal);
      const [code, by] = await ended;
      if (code !== 0 || tries === MOST_TRIES) return [code, by];
    }
  }

  it('stays with the service if a command that uses it too is killed', async () => {
    const users = () => readdirSync(path.join(dataDir, 'postgres.users')).length;
    const before = postmaster();
    expect(await caught('SIGKILL', () => users() > 1)).toEqual([null, 'SIGKILL']);
    // What a killed command leaves looks whether another process uses the database.
    const left = `stop-unused.js ${dataDir}`;
    const running = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    await eventually('that has looked', () => !running().includes(left));
    expect(postmaster()).toBe(before);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  });

  it('ends with its last user, also if the server is not the first one', async () => {
    expect(await service.stop()).toBe(0);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    expect(existsSync(pidFile())).toBe(false);
  }, 60_000);

  it('is not left behind by a command that is interrupted', async () => {
    expect(await caught('SIGINT', () => existsSync(pidFile()))).toEqual([130, null]);
    expect(existsSync(pidFile())).toBe(false);
    expect(readdirSync(path.join(dataDir, 'postgres.users'))).toEqual([]);
  }, 60_000);

  it.each([
    ['as soon as it has started it', () => true],
    ['while it uses it', () => findEmbeddedPostgres(dataDir)],
  ])('is not left behind by a command that is killed %s', async (_, isTime) => {
    let pid = NaN;
    const isRunning = () => processIdentity((pid = postmaster())) !== null;
    const ended = await caught('SIGKILL', async () => isRunning() && (await isTime()));
    expect(ended).toEqual([null, 'SIGKILL']);
    await eventually('the database is stopped', () => processIdentity(pid) === null);
    expect(existsSync(pidFile())).toBe(false);
  });

  itWhenSlow(
    'ends the service with exit code 1 if it cannot be started again',
    async () => {
      await start();
      const exited = once(service.child, 'exit');
      writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '9.1\n');
      process.kill(postmaster(), 'SIGKILL');
      await eventually('it is not ready', async () => {
        const response = await fetch(`${service.url}/health/ready`).catch(() => null);
        return response?.status === 503;
      });
      expect(await exited).toEqual([1, null]);
      expect(service.output).toContain('cannot be started again');
      expect(readdirSync(path.join(dataDir, 'postgres.users'))).toEqual([]);
    },
    120_000,
  );
});

describeWhenSlow('a full disk', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-full-'));
  const elsewhere = mkdtempSync(path.join(tmpdir(), 'shop-beside-'));
  let isMounted = false;
  let service: ServiceProcess | undefined;
  beforeAll(() => {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', folder]);
      isMounted = true;
    } catch {
      console.warn('the test of a full disk needs the right to mount a tmpfs');
    }
  });
  afterAll(async () => {
    await service?.stop();
    if (isMounted) execFileSync('umount', [folder]);
    for (const one of [folder, elsewhere]) rmSync(one, { recursive: true, force: true });
  });

  it('ends no service, and lets commands read: it serves again when there is room, and has all', async () => {
    if (!isMounted) return;
    const dataDir = path.join(folder, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    const env = { ...PRODUCTION, DATA_DIR: dataDir, ...LIMITS };
    service = await started(env);
    const token = await tokenOf(env);
    const { acknowledged, end } = writing(service, token);
    await eventually('calls are acknowledged', () => acknowledged.size > 20);
    const url = (await findEmbeddedPostgres(dataDir))!;
    const filler = path.join(folder, 'filler');
    execFileSync('bash', ['-c', `dd if=/dev/zero of=${filler} bs=1M status=none || true`]);
    const { url: address } = service;
    await eventually('a change is answered with 503', async () => {
      const answer = await create(address, token, `none-${randomUUID()}`);
      return answer.status === 503 && answer.headers.get('retry-after') === '2';
    });
    const file = path.join(elsewhere, 'backup');
    expect(await shopProcess(env, 'backup', '--to', file)).toMatchObject({ code: 0 });
    expect(await shopProcess(env, 'store', 'list')).toMatchObject({ code: 0, output: [{ name: 'Corner' }] });
    // The next segment of the log has no room, for which PostgreSQL panics.
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await client
      .query('create table big as select repeat(md5(g::text), 50) as t from generate_series(1, 20000) g')
      .catch(() => undefined);
    await client.query('select pg_switch_wal()').catch(() => undefined);
    await client.end().catch(() => undefined);
    await eventually('it is not ready', async () => {
      const { status } = await fetch(`${address}/health/ready`);
      return status === 503 && !(await ready(service!));
    });
    rmSync(filler);
    await eventually('it is ready again', () => ready(service!));
    const before = acknowledged.size;
    await eventually('calls are acknowledged again', () => acknowledged.size > before);
    await end();
    expect(await lost(acknowledged, dataDir)).toEqual([]);
  }, 180_000);
});
