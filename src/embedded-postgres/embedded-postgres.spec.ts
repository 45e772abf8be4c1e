import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  otherVersionUnder,
  startEmbeddedPostgres,
  stopUnusedPostgres,
} from './embedded-postgres.js';
import { eventually } from '../../test/support/eventually.js';
import { createLogger } from '../platform/logging/logger.js';
import { processIdentity } from '#process-lock';
import { itWhenSlow } from '../../test/support/slow.js';

const settings = { fsync: 'off', shared_buffers: '16MB' };
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

let parent: string;
let dataDir: string;
const started: EmbeddedPostgres[] = [];
const processes: ChildProcess[] = [];

beforeEach(() => {
  // mkdtemp creates folders with mode 700.
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'embedded-postgres-')));
  dataDir = join(parent, 'data');
});

afterEach(async () => {
  // A server that was left running for its owner is stopped too, because its owner is dead by then.
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  for (const server of started.splice(0)) await server.stop();
  rmSync(parent, { recursive: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(dataDir, { settings });
  started.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function otherProcess(): { child: ChildProcess; identity: string } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  processes.push(child);
  return { child, identity: processIdentity(child.pid!)! };
}

async function deadProcess(): Promise<string> {
  const { child, identity } = otherProcess();
  child.kill('SIGKILL');
  await once(child, 'exit');
  return identity;
}

describe('embedded PostgreSQL', () => {
  it('makes a private server in a folder with mode 700, with database shop', async () => {
    const lines: string[] = [];
    const server = await startEmbeddedPostgres(dataDir, { settings, log: (line) => lines.push(line) });
    started.push(server);
    const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();

    expect(server.reused).toBe(false);
    expect(await query(server.url, 'SELECT current_database() AS db, current_user AS who')).toEqual([
      { db: 'shop', who: 'shop' },
    ]);
    const shown = await query(
      server.url,
      `SELECT name, setting FROM pg_settings
        WHERE name IN ('listen_addresses', 'unix_socket_directories', 'fsync', 'max_connections') ORDER BY 1`,
    );
    expect(shown.map((row) => row.setting)).toEqual(['off', '127.0.0.1', '100', '']);
    expect([parent, dataDir, join(dataDir, 'postgres')].map(mode)).toEqual(['700', '700', '700']);
    expect(mode(join(dataDir, 'postgres.password'))).toBe('600');
    expect(lines.length).toBeGreaterThan(0);
    expect([...lines, readFileSync(join(dataDir, 'postgres.log'), 'utf8')].join('\n')).not.toContain(
      password,
    );
  });

  it('refuses a wrong password', async () => {
    const { url } = await start();
    await expect(query(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  it('recognizes Cyrillic letters as letters', async () => {
    const { url } = await start();
    await query(url, 'CREATE EXTENSION pg_trgm');
    const [row] = await query(
      url,
      `SELECT array_length(show_trgm('привет'), 1) AS trigrams, 'ПРИВЕТ' ILIKE 'при%' AS folds`,
    );
    expect(row).toEqual({ trigrams: 7, folds: true });
  });

  it('keeps its data over a restart and is found only while it runs', async () => {
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS seven');
    expect(await findEmbeddedPostgres(dataDir)).toBe(first.url);

    await first.stop();
    await first.stop();
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');

    const second = await start();
    expect(second.reused).toBe(false);
    expect(await query(second.url, 'SELECT seven FROM kept')).toEqual([{ seven: 7 }]);
  });

  itWhenSlow('starts on another port if a program has taken the one that nobody uses any more', async () => {
    const first = await start();
    await first.stop();
    const { port } = new URL(first.url);
    const other = createServer().listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    try {
      const second = await start();
      expect(new URL(second.url).port).not.toBe(port);
      expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      other.close();
    }
  });

  it('is for one service, beside which commands use it', async () => {
    const service = await startEmbeddedPostgres(dataDir, { settings, isService: true });
    started.push(service);
    await expect(startEmbeddedPostgres(dataDir, { settings, isService: true })).rejects.toThrow(
      `DATA_DIR: the service runs on ${dataDir} already, as process ${process.pid}: stop it first`,
    );
    const command = await start();
    expect(command).toMatchObject({ reused: true, url: service.url });
    await service.stop();
    const next = await startEmbeddedPostgres(dataDir, { settings, isService: true });
    expect(next).toMatchObject({ reused: true, url: service.url });
    await Promise.all([command.stop(), next.stop()]);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    // Of one that was killed.
    writeFileSync(join(dataDir, 'postgres.users', 'service'), await deadProcess());
    started.push(await startEmbeddedPostgres(dataDir, { settings, isService: true }));
  });

  it('says what to do with the data of another major version', async () => {
    await (await start()).stop();
    const version = join(dataDir, 'postgres', 'PG_VERSION');
    const made = readFileSync(version, 'utf8');
    writeFileSync(version, '17\n');
    await expect(start()).rejects.toThrow(
      /^DATA_DIR: .* is of PostgreSQL 17, and this version .* PostgreSQL 18\. With the version .*backup/,
    );
    expect(await otherVersionUnder(dataDir)).toMatchObject({ cure: expect.stringContaining('restore') });
    writeFileSync(version, made);
    expect(await otherVersionUnder(dataDir)).toBeNull();
  });

  it('is stopped by its last user, regardless of who started it; dead processes do not count', async () => {
    const [first, second, third] = [await start(), await start(), await start()];
    writeFileSync(join(dataDir, 'postgres.users', 'killed'), await deadProcess());
    for (const one of [first, third]) {
      await one.stop();
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    }
    await second.stop();
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
  });

  it('is no child of the process that starts it, which whoever ends that would end too', async () => {
    await start();
    const pid = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0];
    const parent = execFileSync('ps', ['-o', 'ppid=', '-p', pid], { encoding: 'utf8' }).trim();
    expect(Number(parent)).not.toBe(process.pid);
  });

  it('waits for the process that replaces the one that has left, and is stopped if none comes', async () => {
    const first = await start();
    await first.leave();
    const second = await start();
    expect(second).toMatchObject({ reused: true, url: first.url });
    await second.leave();
    await stopUnusedPostgres(dataDir, 60_000);
    expect(await findEmbeddedPostgres(dataDir)).toBe(first.url);
    await stopUnusedPostgres(dataDir);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
  });

  itWhenSlow('is also stopped if its folder has been deleted', async () => {
    const { url, stop } = await start();
    rmSync(dataDir, { recursive: true });
    await stop();
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('gives simultaneous starts one server', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    expect(other.url).toBe(one.url);
    expect([one.reused, other.reused].sort()).toEqual([false, true]);
  });

  it('recovers from a killed server and from the files of a killed start', async () => {
    mkdirSync(join(dataDir, 'postgres.init-half'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.init-half', 'PG_VERSION'), '18\n');
    writeFileSync(join(dataDir, 'postgres.lock'), await deadProcess());
    const first = await start();
    expect(readdirSync(dataDir).filter((name) => /init-|lock/.test(name))).toEqual([]);

    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const left = readFileSync(pidFile, 'utf8');
    const pid = Number.parseInt(left, 10);
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS seven');
    process.kill(pid, 'SIGKILL');
    await eventually('the server has ended', () => processIdentity(pid) === null);

    const second = await start();
    expect(second.reused).toBe(false);
    expect(await query(second.url, 'SELECT seven FROM kept')).toEqual([{ seven: 7 }]);
  });

  describe('watched', () => {
    const log = createLogger('silent');
    let lost: Promise<void>;
    const watched = async (pauses?: number[]) => {
      const server = await start();
      lost = new Promise((resolve) => server.watch({ log, lost: resolve, pauses }));
      return server;
    };
    const postmaster = () =>
      Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
    const isBack = (url: string, before: number) =>
      query(url, 'SELECT seven FROM kept').then(
        (rows) => rows.length === 1 && postmaster() !== before,
        () => false,
      );

    it('is back on the same port however it ends, and also if another process was faster', async () => {
      const { url, stop } = await watched();
      await query(url, 'CREATE TABLE kept AS SELECT 7 AS seven');
      for (const signal of ['SIGKILL', 'SIGQUIT', 'SIGINT', 'SIGTERM'] as const) {
        // It notices nothing of a killed server, and no other one starts beside it.
        const busy = query(url, 'SELECT count(*) FROM generate_series(1, 1e12)').catch(() => undefined);
        const before = postmaster();
        process.kill(before, signal);
        await eventually(`the server is back after ${signal}`, () => isBack(url, before));
        await busy;
      }
      const before = postmaster();
      process.kill(before, 'SIGKILL');
      const other = await start();
      expect(other.url).toBe(url);
      await eventually('the server is back', () => isBack(url, before));
      await stop();
      expect(await query(url, 'SELECT seven FROM kept')).toEqual([{ seven: 7 }]);
      await other.stop();
      expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    }, 90_000);

    itWhenSlow(
      'is given up if it cannot be started',
      async () => {
        await watched([0, 10]);
        const version = join(dataDir, 'postgres', 'PG_VERSION');
        writeFileSync(version, '9.1\n');
        process.kill(postmaster(), 'SIGKILL');
        await lost;
      },
      30_000,
    );

    itWhenSlow(
      'is given up, and not made anew, if its data are gone',
      async () => {
        await watched([0, 10]);
        const before = postmaster();
        renameSync(join(dataDir, 'postgres'), join(parent, 'away'));
        process.kill(before, 'SIGKILL');
        await lost;
        expect(readdirSync(dataDir)).not.toContain('postgres');
      },
      30_000,
    );
  });

  itWhenSlow('is not misled by a pid file whose pid now belongs to another process', async () => {
    const first = await start();
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const left = readFileSync(pidFile, 'utf8');
    await first.stop();

    const stranger = otherProcess();
    writeFileSync(pidFile, left.replace(/^\d+/, String(stranger.child.pid)));
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    const second = await start();
    expect(second.reused).toBe(false);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.stop();
    expect(processIdentity(stranger.child.pid!)).toBe(stranger.identity);
  });

  itWhenSlow('reports why the server does not start', async () => {
    const failed = startEmbeddedPostgres(dataDir, { settings: { max_connections: 'many' } });
    await expect(failed).rejects.toThrow(
      /did not start: it ended with code 1\n.*invalid value for parameter "max_connections": "many"/,
    );
  });

  itWhenSlow('names the missing password file', async () => {
    await (await start()).stop();
    rmSync(join(dataDir, 'postgres.password'));
    await expect(start()).rejects.toThrow(`${join(dataDir, 'postgres.password')} is missing`);
  });

  if (process.getuid?.() === 0) {
    it(
      'runs without root on a folder that belongs to another user, below a folder of root with mode ' + '700',
      async () => {
        mkdirSync(dataDir, { mode: 0o700 });
        chownSync(dataDir, 65534, 65534);
        const { url } = await start();
        expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
        expect(statSync(join(dataDir, 'postgres')).uid).toBe(65534);
        const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
        expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Uid:\t65534\t65534\t/m);
      },
    );
  }
});
