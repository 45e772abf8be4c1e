// Two clusters of PostgreSQL, an installation on each, and HAProxy in front of them, all on loopback and
// ended by process id.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { paced } from '../../support/waiting/paced.mjs';
import { MIGRATIONS } from '../../../dist/migrations/all.js';
import { newToken } from '../../../dist/src/platform/auth/token.js';
import { Client } from '../../../dist/src/platform/database/connections/connection.js';
import { prepareDatabase } from '../../../dist/src/platform/database/installation/migrate.js';
import { Pair } from '../../failover/pair.mjs';
import { end, freePort, Postgres } from '../../faults/suite/servers.mjs';
import { Service } from '../../faults/suite/service.mjs';
import { balancerSettings } from '../balancer-settings.mjs';

const HAPROXY = ['haproxy', '/usr/sbin/haproxy'].find((file) => spawnSync(file, ['-v']).status === 0);
const CLI = path.resolve(import.meta.dirname, '../../../dist/src/cli.js');
const DOMAIN = 'shops.example';
const BALANCED_MS = 60_000;

/** What has to be installed, null if it is. */
export const missing = () =>
  Pair.isInstalled && HAPROXY ? null : "Debian's postgresql and haproxy are needed: apt-get install them";

export class TwoGroups {
  #folder = mkdtempSync(path.join(tmpdir(), 'shop-groups-'));
  #key = randomBytes(32).toString('base64');
  groups = {};

  /** The first group is a primary with its synchronous standby, so that the one can be killed. */
  static async open() {
    const two = new TwoGroups();
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.once(signal, () => void two.close().then(() => process.exit(130)));
    try {
      two.port = await freePort();
      await Promise.all([two.#install('a', Pair.create), two.#install('b', Postgres.create)]);
      for (const name of Object.keys(two.groups))
        await two.shop(
          ...['group', 'add', '--name', name, '--database', two.groups[name].postgres.url],
          ...['--address', `https://${name}.${DOMAIN}`],
        );
      await two.shop('group', 'map', '--to', two.#file('stores.map'));
      await two.#balance();
      await two.shop('group', 'map', '--to', two.#file('stores.map'), '--socket', two.#file('admin.sock'));
      return two;
    } catch (error) {
      await two.close();
      throw error;
    }
  }

  #file(name) {
    return path.join(this.#folder, name);
  }

  async #install(name, create) {
    const group = (this.groups[name] = { port: await freePort() });
    const folder = this.#file(name);
    mkdirSync(folder);
    group.postgres = await create(folder);
    const { url } = group.postgres;
    await prepareDatabase(url, [this.#key], MIGRATIONS);
    group.owner = new pg.Pool({ connectionString: url, Client, max: 2 });
    group.owner.on('error', () => undefined);
    group.service = await Service.start({
      PORT: String(group.port),
      DATABASE_URL: url,
      ENCRYPTION_KEY: this.#key,
      BASE_URL: `https://${name}.${DOMAIN}`,
      STORE_DOMAIN: DOMAIN,
      TRUSTED_PROXIES: '1',
      RATE_LIMIT_READ: '1000000000',
      RATE_LIMIT_WRITE: '1000000000',
    });
  }

  async #balance() {
    const ports = Object.fromEntries(Object.entries(this.groups).map(([name, { port }]) => [name, port]));
    writeFileSync(this.#file('haproxy.cfg'), balancerSettings(this.#folder, this.port, ports));
    this.haproxy = spawn(HAPROXY, ['-db', '-f', this.#file('haproxy.cfg')], { stdio: 'ignore' });
    // HAProxy takes each service for ready once it has looked, and says "UP" of one before.
    for (const until = Date.now() + BALANCED_MS; !(await this.#isBalanced()); await paced(50))
      if (Date.now() > until) throw new Error('HAProxy does not find the service of each group');
  }

  async #isBalanced() {
    const text = await new Promise((resolve) => {
      let said = '';
      connect(this.#file('admin.sock'))
        .on('data', (data) => (said += data))
        .on('error', () => resolve(''))
        .on('close', () => resolve(said))
        .end('show stat\n');
    });
    const [head, ...rows] = text.split('\n').map((line) => line.split(','));
    const isUp = (name) =>
      rows.some((row) => {
        const of = (column) => row[head.indexOf(column)];
        const [state, check] = [of('status'), of('check_status')];
        return of('svname') === `${name}1` && state === 'UP' && check === 'L7OK';
      });
    return Object.keys(this.groups).every(isUp);
  }

  /** Runs the operator's command line. @returns what it printed @throws Error with its message */
  shop(...args) {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME };
    Object.assign(env, { GROUPS_FILE: this.#file('groups.json'), ENCRYPTION_KEY: this.#key });
    return new Promise((resolve, reject) => {
      const options = { cwd: this.#folder, env };
      execFile(process.execPath, [CLI, ...args, '--json'], options, (error, stdout, stderr) => {
        if (!error) return resolve(JSON.parse(stdout));
        reject(new Error(`shop ${args.slice(0, 2).join(' ')}: ${stdout}${stderr}`));
      });
    });
  }

  async query(group, text, values) {
    return (await this.groups[group].owner.query(text, values)).rows;
  }

  /** A store, where there is least, with orders and a token. */
  async store(number, orders) {
    const owner = `owner-${number}@${DOMAIN}`;
    const options = ['--name', `Shop ${number}`, '--currency', 'USD', '--owner-email', owner];
    const { id, group } = await this.shop('store', 'create', ...options);
    const token = newToken();
    const hash = createHash('sha256').update(token).digest('hex');
    await this.query(
      group,
      `insert into api_tokens (store_id, id, name, scope, token_hash, created_at)
       values ($1, gen_random_uuid(), 'load', 'admin', $2, now())`,
      [id, hash],
    );
    const rows = await this.query(
      group,
      `with customer as (
         insert into customers (store_id, id, first_name, created_at, updated_at)
         values ($1, 9007199254740993, 'Zoë', now(), now()) returning store_id, id)
       insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
         created_at, updated_at)
       select store_id, next_order_id(store_id), 'PENDING', 'card', 1000, 'USD', id,
         now() - interval '1 day', now() - interval '1 day'
       from customer, generate_series(1, $2) returning id::float8`,
      [id, orders],
    );
    return { id, group, token, host: `${id}.${DOMAIN}`, orders: rows.map((row) => row.id) };
  }

  /** Kills the primary of the first group, with everything under way on it; its standby takes over. */
  async killPrimary() {
    const { postgres } = this.groups.a;
    await postgres.primary.kill();
    await postgres.promote();
  }

  async close() {
    await end(this.haproxy ?? null, 'SIGKILL');
    const groups = Object.values(this.groups);
    await Promise.all(groups.map(({ service }) => service?.kill()));
    await Promise.all(groups.map(({ owner }) => owner?.end()));
    await Promise.all(groups.map(({ postgres }) => postgres?.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
