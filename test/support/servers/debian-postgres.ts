import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { locatePostgresBinaries } from '../../../src/embedded-postgres/postgres-binaries.js';
import {
  clusterUnder,
  handOver,
  initialiseCluster,
} from '../../../src/embedded-postgres/postgres-cluster.js';
import { launchPostmaster, serverUrl } from '../../../src/embedded-postgres/postmaster.js';
import { processIdentity, isRunning } from '#process-lock';
import { eventually } from '../eventually.js';

const HOME = '/usr/lib/postgresql';
const run = promisify(execFile);
const SETTINGS = { fsync: 'off', max_connections: '100' };

/** The folder with the programs of Debian's package `postgresql`; null if it is not installed. */
function debianPrograms(): string | null {
  const versions = existsSync(HOME) ? readdirSync(HOME).sort((a, b) => Number(b) - Number(a)) : [];
  return (
    versions
      .map((version) => path.join(HOME, version, 'bin'))
      .find((bin) => existsSync(path.join(bin, 'pg_dump'))) ?? null
  );
}

/**
 * A server of Debian's PostgreSQL in a temporary folder, with its own pg_dump, as an operator would use it.
 */
export class DebianPostgres {
  private constructor(
    private readonly folder: string,
    private readonly programs: string,
    private identity: string,
    /** Connects as the superuser, to the database `postgres`. */
    readonly url: string,
  ) {}

  /** @param settings of the server, beside those of all tests */
  static async start(settings: Record<string, string> = {}): Promise<DebianPostgres> {
    const programs = debianPrograms()!;
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'shop-debian-')));
    const cluster = clusterUnder(folder);
    const binaries = await binariesFor(folder, programs);
    await initialiseCluster(cluster, binaries);
    const { pid, port } = await launchPostmaster(cluster, binaries, { ...SETTINGS, ...settings });
    return new DebianPostgres(folder, programs, processIdentity(pid)!, serverUrl(cluster, port, 'postgres'));
  }

  /** A standby of this server, set up as by hand: with pg_basebackup and streaming. */
  async standby(): Promise<DebianPostgres> {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'shop-standby-')));
    const cluster = clusterUnder(folder);
    copyFileSync(clusterUnder(this.folder).password, cluster.password);
    await this.run(
      'pg_basebackup',
      '--pgdata',
      cluster.folder,
      '--dbname',
      this.url,
      '--write-recovery-conf',
      '--checkpoint=fast',
    );
    const binaries = await binariesFor(folder, this.programs);
    await handOver(cluster, binaries);
    const { pid, port } = await launchPostmaster(cluster, binaries, SETTINGS);
    return new DebianPostgres(
      folder,
      this.programs,
      processIdentity(pid)!,
      serverUrl(cluster, port, 'postgres'),
    );
  }

  /** @returns the URL of a new, empty database */
  async database(name: string, role?: { name: string; password: string }): Promise<string> {
    await this.query(`create database ${name}${role ? ` owner ${role.name}` : ''}`);
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    if (role) Object.assign(url, { username: role.name, password: role.password });
    return url.href;
  }

  async query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    return (await client.query<Row>(text).finally(() => client.end())).rows;
  }

  /** Runs one of the server's programs, such as pg_dump. @returns its standard output */
  async run(program: string, ...args: string[]): Promise<string> {
    const { stdout } = await run(path.join(this.programs, program), args, { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }

  /** The server's data. */
  get data(): string {
    return clusterUnder(this.folder).folder;
  }

  /** Stops the server, and starts it again on its port after the work. */
  async whileStopped(settings: Record<string, string>, work: () => Promise<unknown>): Promise<void> {
    await this.end();
    await work();
    const binaries = await binariesFor(this.folder, this.programs);
    const port = Number(new URL(this.url).port);
    const { pid } = await launchPostmaster(
      clusterUnder(this.folder),
      binaries,
      { ...SETTINGS, ...settings },
      port,
    );
    this.identity = processIdentity(pid)!;
  }

  /** Runs any program as the server's user, whose connections are to this server. */
  async asServer(program: string, ...args: string[]): Promise<string> {
    const { prefix } = await binariesFor(this.folder, this.programs);
    const [file, ...rest] = [...prefix, program, ...args];
    const { port, username, password } = new URL(this.url);
    const login = { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: username, PGPASSWORD: password };
    return (await run(file, rest, { env: { PATH: process.env.PATH, ...login } })).stdout;
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async end(): Promise<void> {
    if (isRunning(this.identity)) process.kill(Number.parseInt(this.identity, 10), 'SIGINT');
    await eventually('the server has ended', () => !isRunning(this.identity));
  }
}

/** Debian's programs, and the way to run them on a cluster in the folder. */
async function binariesFor(folder: string, programs: string) {
  return {
    ...(await locatePostgresBinaries(clusterUnder(folder).folder)),
    initdb: path.join(programs, 'initdb'),
    postgres: path.join(programs, 'postgres'),
    control: path.join(programs, 'pg_ctl'),
  };
}
