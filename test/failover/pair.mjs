// Two clusters of Debian's PostgreSQL on loopback, one the other's synchronous standby, behind HAProxy; the
// test is their cluster manager.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
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
import { written } from '../cluster/settings.mjs';
import { HAPROXY } from '../faults/suite/faults/balancer.mjs';
import { until } from '../faults/suite/figures.mjs';
import { end, freePort, Postgres } from '../faults/suite/servers.mjs';

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

  /** Answers the balancer as Patroni does: 200 while this one takes writes. @returns the port */
  async sayWhetherItLeads() {
    this.monitor = createServer((_, response) => {
      const leads = this.query('select pg_is_in_recovery() as follows').then(
        ([{ follows }]) => !follows,
        () => false,
      );
      void leads.then((isPrimary) => response.writeHead(isPrimary ? 200 : 503).end());
    }).listen(0, '127.0.0.1');
    await once(this.monitor, 'listening');
    return this.monitor.address().port;
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

/** A primary and its synchronous standby, behind a proxy that leads to the one that takes writes. */
export class Pair {
  #balancer = null;

  static get isInstalled() {
    return installed() !== null && HAPROXY !== undefined;
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
    const urlOn = (port) => `postgres://shop:${clusterPassword(first)}@127.0.0.1:${port}/postgres`;
    pair.members = [first, second].map(({ folder: data }, i) => new Member(data, ports[i], urlOn(ports[i])));
    try {
      await pair.primary.start();
      await pair.standby.follow(pair.primary);
      pair.url = urlOn(await pair.#startBalancer(folder));
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

  /** With the settings of docs/operations.md. @returns its port, when it leads to the primary */
  async #startBalancer(folder) {
    const file = path.join(folder, 'haproxy.cfg');
    const port = await freePort();
    const addresses = [];
    for (const [i, member] of this.members.entries())
      addresses.push([
        `10.0.0.2${i + 1}:5432`,
        `127.0.0.1:${member.port} check port ${await member.sayWhetherItLeads()}`,
      ]);
    writeFileSync(
      file,
      written('haproxy', 'listen database', [
        ['bind *:5432', `bind 127.0.0.1:${port}`],
        ...addresses,
        ['  server three 10.0.0.23:5432\n', ''],
      ]),
    );
    this.#balancer = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' });
    const { url } = this.primary;
    const balanced = Object.assign(new URL(url), { port: String(port) }).href;
    const follows = () => Member.prototype.query.call({ url: balanced }, 'select pg_is_in_recovery() as is');
    // It takes turns between those that it takes for up, at first both.
    const leads = async () => {
      for (const _ of this.members) if ((await follows())[0].is) return false;
      return true;
    };
    if (!(await until(() => leads().catch(() => false), 20_000)))
      throw new Error('HAProxy does not lead to the primary alone');
    return port;
  }

  async stop() {
    await end(this.#balancer, 'SIGKILL');
    for (const { monitor } of this.members) monitor?.close();
    await Promise.all(this.members.map((member) => member.stop()));
  }
}
