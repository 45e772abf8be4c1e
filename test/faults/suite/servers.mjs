// A PostgreSQL and a Redis of the suite's own: real servers, loopback only, ended by process id.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Redis as RedisClient } from 'ioredis';
import pg from 'pg';
import { paced } from '../../support/waiting/paced.mjs';
import { startEmbeddedPostgres } from '../../../dist/src/embedded-postgres/embedded-postgres.js';
import {
  locatePostgresBinaries,
  POSTGRES_ENVIRONMENT,
} from '../../../dist/src/embedded-postgres/postgres-binaries.js';
import { freePort } from '../../support/servers/free-port.mjs';

export { freePort };

export const isRunning = (child) => child !== null && child.exitCode === null && child.signalCode === null;

/** Sends the signal and waits for the end. @returns the exit code, null when a signal ended it */
export async function end(child, signal) {
  if (!isRunning(child)) return child?.exitCode ?? null;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGCONT');
  child.kill(signal);
  return exited;
}

/**
 * The service's own embedded PostgreSQL, but on a port that stays the same, so that it can crash and come
 * back.
 */
export class Postgres {
  #child = null;

  constructor(folder, port, url) {
    Object.assign(this, { folder, port, url });
  }

  static async create(dataDir) {
    const first = await startEmbeddedPostgres(dataDir);
    await first.stop();
    const url = new URL(first.url);
    url.port = String(await freePort());
    const postgres = new Postgres(path.join(dataDir, 'postgres'), Number(url.port), url.href);
    await postgres.start();
    return postgres;
  }

  programs() {
    return locatePostgresBinaries(this.folder);
  }

  /** Returns when it takes connections, after recovery if it crashed. */
  async start() {
    const { prefix, postgres } = await this.programs();
    const settings = {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      max_connections: '200',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      // Sized like a small server; without it the log is full of checkpoints during the ten-thousands.
      max_wal_size: '2GB',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [file, ...args] = [...prefix, postgres, '-D', this.folder, '-p', String(this.port), ...options];
    for (let attempt = 0; attempt < 10; attempt++) {
      this.#child = spawn(file, args, { stdio: 'ignore', env: POSTGRES_ENVIRONMENT });
      if (await this.#answers()) return;
      // The children of a crashed server may need a moment more to let go of its memory.
      await paced(200);
    }
    throw new Error('PostgreSQL did not start');
  }

  async #answers() {
    for (let i = 0; i < 600 && isRunning(this.#child); i++) {
      const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 });
      client.on('error', () => undefined);
      const ready = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (ready) return true;
      await paced(50);
    }
    return false;
  }

  /**
   * What `pg_ctl stop -m immediate` does: no checkpoint, no farewell. The next start recovers from the log.
   */
  crash() {
    return end(this.#child, 'SIGQUIT');
  }

  stop() {
    return end(this.#child, 'SIGINT');
  }

  /** Stops or continues the server with all its backends. */
  signalAll(signal) {
    const own = this.#child.pid;
    const parentOf = (pid) => {
      try {
        return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
      } catch {
        return 0;
      }
    };
    const backends = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === own);
    for (const pid of [own, ...backends]) {
      try {
        process.kill(Number(pid), signal);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    }
  }
}

/** A Redis without persistence: what is killed is gone. */
export class Redis {
  #child = null;

  constructor(port) {
    Object.assign(this, { port, url: `redis://127.0.0.1:${port}` });
  }

  static get installed() {
    return spawnSync('redis-server', ['--version']).status === 0;
  }

  static async create() {
    const redis = new Redis(await freePort());
    await redis.start();
    return redis;
  }

  async start() {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#child = spawn('redis-server', options, { stdio: 'ignore' });
    for (let i = 0; i < 250; i++) {
      if (await this.command('ping').catch(() => null)) return;
      await paced(20);
    }
    throw new Error('redis-server did not start');
  }

  /** One command on a connection of its own. */
  async command(name, ...args) {
    const client = new RedisClient(this.port, '127.0.0.1', {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  signal(signal) {
    this.#child.kill(signal);
  }

  kill() {
    return end(this.#child, 'SIGKILL');
  }
}
