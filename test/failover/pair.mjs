// Two clusters of Debian's PostgreSQL on loopback, one the other's synchronous standby; the tests are their
// cluster manager.
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  locatePostgresBinaries,
  POSTGRES_ENVIRONMENT,
} from '../../dist/src/embedded-postgres/postgres-binaries.js';
import {
  clusterPassword,
  clusterUnder,
  initialiseCluster,
} from '../../dist/src/embedded-postgres/postgres-cluster.js';
import { until } from '../faults/suite/figures.mjs';
import { freePort, Postgres } from '../faults/suite/servers.mjs';

const run = promisify(execFile);
const HOME = '/usr/lib/postgresql';

/** The folder of the newest installed PostgreSQL, null where there is none. */
export const installed = () => {
  const versions = existsSync(HOME) ? readdirSync(HOME).sort((a, b) => Number(b) - Number(a)) : [];
  return (
    versions
      .map((version) => path.join(HOME, version, 'bin'))
      .find((bin) => existsSync(path.join(bin, 'initdb'))) ?? null
  );
};

/** One cluster, on a port that stays the same. */
class Member extends Postgres {
  async programs() {
    const binaries = await locatePostgresBinaries(this.folder);
    return {
      ...binaries,
      initdb: path.join(installed(), 'initdb'),
      postgres: path.join(installed(), 'postgres'),
    };
  }

  async query(text) {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    return client
      .query(text)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  /** Takes commits from now on only when a standby has them too, or not. */
  async waitForStandby(isWaiting) {
    await this.query(`alter system set synchronous_standby_names = '${isWaiting ? '*' : ''}'`);
    await this.query('select pg_reload_conf()');
  }

  /** Ends every process at once. */
  async kill() {
    this.signalAll('SIGKILL');
    await this.stop();
  }

  async promote() {
    await this.waitForStandby(false);
    await this.query('select pg_promote(true, 30)');
  }

  /** Begins anew as the standby of another. Commits there wait for it from then on. */
  async follow(primary) {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
    const { prefix, uid } = await this.programs();
    mkdirSync(this.folder, { mode: 0o700 });
    if (uid !== undefined) chownSync(this.folder, uid, uid);
    const options = ['-d', primary.url, '-D', this.folder, '-X', 'stream', '-c', 'fast', '-R'];
    const [file, ...args] = [...prefix, path.join(installed(), 'pg_basebackup'), ...options];
    await run(file, args, { env: POSTGRES_ENVIRONMENT });
    await this.start();
    const streams = `select 1 from pg_stat_replication where state = 'streaming'`;
    if (!(await until(async () => (await primary.query(streams)).length > 0, 30_000)))
      throw new Error('the standby does not follow');
    await primary.waitForStandby(true);
  }
}

/** A primary and its synchronous standby. */
export class Pair {
  static get isInstalled() {
    return installed() !== null;
  }

  static async create(folder) {
    const clusters = ['one', 'two'].map((name) => {
      mkdirSync(path.join(folder, name));
      return clusterUnder(path.join(folder, name));
    });
    const [first, second] = clusters;
    const pair = new Pair();
    const ports = [await freePort(), await freePort()];
    const probe = new Member(first.folder, 0, '');
    await initialiseCluster(first, await probe.programs());
    const urlWith = (hosts) => `postgres://shop:${clusterPassword(first)}@${hosts}/postgres`;
    pair.members = [first, second].map(
      ({ folder: data }, i) => new Member(data, ports[i], urlWith(`127.0.0.1:${ports[i]}`)),
    );
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
    pair.url = `${urlWith(hosts)}?target_session_attrs=read-write`;
    try {
      await pair.primary.start();
      await pair.standby.follow(pair.primary);
    } catch (error) {
      await pair.stop();
      throw error;
    }
    return pair;
  }

  get primary() {
    return this.members[0];
  }

  get standby() {
    return this.members[1];
  }

  /** The standby takes the office; what became of the old primary is the caller's business. */
  async promote() {
    await this.standby.promote();
    this.members.reverse();
  }

  async stop() {
    await Promise.all(this.members.map((member) => member.stop()));
  }
}
