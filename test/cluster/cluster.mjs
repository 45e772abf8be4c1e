// Three machines with Debian's Patroni, etcd and PostgreSQL, and before them HAProxy and PgBouncer, in a
// network of their own.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import {
  locatePostgresBinaries,
  POSTGRES_ENVIRONMENT,
} from '../../dist/src/embedded-postgres/postgres-binaries.js';
import { installed } from '../failover/pair.mjs';
import { HAPROXY } from '../faults/suite/faults/balancer.mjs';
import { until } from '../faults/suite/figures.mjs';
import { end, freePort } from '../faults/suite/servers.mjs';
import { layNetwork, Machine } from './machine.mjs';
import * as settings from './settings.mjs';

const USER = 'shop';
/** A connection that is asked something answers within this many milliseconds, or its host is away. */
const PATIENCE_MS = 2_000;
/** Three machines have come together, or again, within this many milliseconds. */
const TOGETHER_MS = 90_000;

/** A machine of the cluster: etcd, Patroni, and the PostgreSQL that Patroni starts. */
class Member {
  constructor(machine, folder, password) {
    Object.assign(this, { machine, folder, name: machine.name, address: machine.address });
    this.url = `postgres://${USER}:${password}@${machine.address}:5432/postgres`;
  }

  /** @param members all of them, this one too */
  async configure(members, password) {
    mkdirSync(this.folder, { mode: 0o700 });
    const { prefix, uid } = await locatePostgresBinaries(path.join(this.folder, 'data'));
    const peer = ({ address }) => `http://${address}:2380`;
    const [client, own] = [`http://${this.address}:2379`, peer(this)];
    const etcd = {
      name: this.name,
      'data-dir': path.join(this.folder, 'etcd'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': own,
      'initial-advertise-peer-urls': own,
      'initial-cluster': members.map((member) => `${member.name}=${peer(member)}`).join(','),
    };
    const file = path.join(this.folder, 'patroni.yml');
    const etcds = members.map(({ address }) => `${address}:2379`);
    writeFileSync(
      file,
      settings.patroni({
        name: this.name,
        etcd: etcds,
        member: this.address,
        folder: this.folder,
        bin: installed(),
        password,
      }),
    );
    if (uid !== undefined) for (const name of [this.folder, file]) chownSync(name, uid, uid);
    this.programs = {
      etcd: [
        'etcd',
        ...(settings.speaksOldEtcd() ? ['--enable-v2'] : []),
        ...Object.entries(etcd).map(([name, value]) => `--${name}=${value}`),
      ],
      patroni: [...prefix, 'patroni', file],
    };
  }

  start() {
    for (const [name, command] of Object.entries(this.programs)) {
      const log = createWriteStream(path.join(this.folder, `${name}.log`), { flags: 'a' });
      const child = this.machine.spawn(command, {
        cwd: this.folder,
        env: POSTGRES_ENVIRONMENT,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    }
  }

  async query(text) {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      client.end().catch(() => undefined);
    }
  }

  /** Whether it takes writes; false also when nobody answers. */
  leads() {
    return this.query('select pg_is_in_recovery() as follows').then(
      ([{ follows }]) => !follows,
      () => false,
    );
  }

  /**
   * A commit of somebody on the machine itself, who does not notice that it stands alone.
   * @returns a function that tells what became of it: acknowledged, failed or waiting
   */
  commit() {
    const command = [
      path.join(installed(), 'psql'),
      this.url,
      '-c',
      `update stores set name = name || ' (alone)'`,
    ];
    const child = this.machine.spawn(command, { env: POSTGRES_ENVIRONMENT, stdio: 'ignore' });
    return () => {
      if (child.exitCode === null) return 'waiting';
      return child.exitCode === 0 ? 'acknowledged' : 'failed';
    };
  }
}

/** The members, and the balanced way to the one that takes writes. */
export class Cluster {
  #children = [];

  /** What has to be installed and is not. */
  static get missing() {
    const packages = { patroni: 'patroni', 'etcd-server': 'etcd', pgbouncer: 'pgbouncer', iproute2: 'ip' };
    const absent = Object.entries(packages).filter(
      ([, program]) => spawnSync('which', [program]).status !== 0,
    );
    return [
      ...absent.map(([name]) => name),
      ...(HAPROXY ? [] : ['haproxy']),
      ...(installed() ? [] : ['postgresql']),
    ];
  }

  static async create(folder) {
    const cluster = new Cluster();
    const password = randomBytes(16).toString('hex');
    layNetwork();
    const machines = [];
    for (const number of [1, 2, 3]) machines.push(await Machine.create(number));
    cluster.members = machines.map(
      (machine) => new Member(machine, path.join(folder, machine.name), password),
    );
    try {
      for (const member of cluster.members) {
        await member.configure(cluster.members, password);
        member.start();
      }
      await cluster.together();
      await cluster.#startBalancer(folder, password);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** HAProxy before the members, PgBouncer before HAProxy. */
  async #startBalancer(folder, password) {
    const [balancer, pooler] = [await freePort(), await freePort()];
    const { prefix } = await locatePostgresBinaries(path.join(folder, 'machine1', 'data'));
    const [file, users, pools] = ['haproxy.cfg', 'users.txt', 'pgbouncer.ini'].map((name) =>
      path.join(folder, name),
    );
    const addresses = this.members.map(({ address }) => address);
    writeFileSync(file, settings.haproxy({ port: balancer, members: addresses }));
    writeFileSync(users, `"${USER}" "${password}"\n`);
    writeFileSync(pools, settings.pgbouncer({ port: pooler, server: balancer, users, user: USER }));
    const programs = [
      [HAPROXY, '-db', '-f', file],
      [...prefix, 'pgbouncer', '-q', pools],
    ];
    this.#children = programs.map(([program, ...args]) =>
      spawn(program, args, { stdio: 'ignore', env: POSTGRES_ENVIRONMENT }),
    );
    const through = (port) => `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
    this.url = through(balancer);
    this.balanced = { DATABASE_URL: through(pooler), DATABASE_DIRECT_URL: this.url };
    for (const [name, url] of Object.entries(this.balanced)) {
      const answers = () =>
        Member.prototype.leads.call(Object.assign(Object.create(Member.prototype), { url }));
      if (!(await until(answers, 20_000, 200))) throw new Error(`nothing answers at ${name}`);
    }
  }

  /** The member that takes writes; it waits for one that is not `other`. */
  async leader(other) {
    let found;
    const candidates = this.members.filter((member) => member !== other);
    const isThere = async () => {
      const leading = await Promise.all(candidates.map((member) => member.leads()));
      return (found = candidates[leading.indexOf(true)]) !== undefined;
    };
    if (!(await until(isThere, TOGETHER_MS, 50))) throw new Error('no machine takes writes');
    return found;
  }

  /** Waits until one leads, two follow, and one of them has what is acknowledged. */
  async together() {
    const streams = `
      select count(*)::int as all, count(*) filter (where sync_state = 'sync')::int as synchronous
      from pg_stat_replication where state = 'streaming' and application_name like 'machine%'`;
    const isWhole = async () => {
      const leading = await Promise.all(this.members.map((member) => member.leads()));
      if (leading.filter(Boolean).length !== 1) return false;
      const [row] = await this.members[leading.indexOf(true)].query(streams).catch(() => [{}]);
      return row.all === 2 && row.synchronous === 1;
    };
    if (!(await until(isWhole, TOGETHER_MS, 250))) throw new Error('the three machines do not come together');
  }

  async stop() {
    for (const child of this.#children) await end(child, 'SIGKILL');
    for (const { machine } of this.members) await machine.stop();
  }
}
