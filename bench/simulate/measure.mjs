// What one call, one delivery and one order cost on this machine: the figures that the simulation is fed with.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SecretBox } from '../../dist/src/platform/crypto/secret-box.js';
import { newToken } from '../../dist/src/platform/auth/token.js';
import { RECEIVER } from '../delivery.mjs';
import { cpuMicros, cpuOfDatabase, load, spentBy } from '../measure.mjs';
import { seed } from '../seed.mjs';
import { freePort, median, round, start, startService } from '../service.mjs';

const CHANGES = new Set(['set_order_status']);
const OPERATIONS = ['get_order', 'list_orders', 'set_order_status'];
const SIZE = { stores: 200, orders: 50_000 };
const SECONDS = 5;
/** By calls, since that is what V8 compiles by. */
const WARM_UP = { calls: 30_000, seconds: 60 };
export const MIX = { get_order: 0.8, list_orders: 0.1, set_order_status: 0.1 };
/** So many that a deliverer is neither idle nor overrun. */
const DELIVERIES_PER_SECOND = 50;
const ROUNDS = 3;

/** A seeded database, one process that answers calls and one that delivers, to load and to look at. */
export class Bench {
  static async set(database) {
    const bench = new Bench();
    bench.receiverPort = await freePort();
    bench.box = new SecretBox([database.key]);
    const { tokens } = await seed(database.url, { ...SIZE, newToken });
    bench.options = { orders: SIZE.orders, tokens, connections: 64 };
    await start(RECEIVER, { PORT: String(bench.receiverPort) }, 'ready');
    bench.owner = new pg.Client({ connectionString: database.url });
    bench.owner.on('error', () => undefined);
    await bench.owner.connect();
    bench.web = await startService(database, { LOG_LEVEL: 'info' });
    bench.deliverer = await startService(database, { SHOP_ROLES: 'deliver' });
    [{ pid: bench.backend }] = await bench.query('select pg_backend_pid() as pid');
    return bench;
  }

  async query(text, values) {
    return (await this.owner.query(text, values)).rows;
  }

  /** From here on each change is delivered; before that none is. */
  async addEndpoints() {
    for (const { id } of await this.query('select id from stores')) {
      await this.query(
        'insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at) values ($1, $2, $3, now(), now())',
        [id, `http://127.0.0.1:${this.receiverPort}/`, this.box.seal('whsec_bench', `webhook:${id}`)],
      );
    }
  }

  load(options) {
    return load({ ...this.options, ports: [this.web.port], ...options });
  }

  /** Waits until nothing is left of the load before: what it left would be counted with the next. */
  async settle() {
    const pending = `select 1 from webhook_deliveries where status = 'pending' limit 1`;
    while ((await this.query(pending)).length > 0) await sleep(100);
    await sleep(500);
  }

  async #look() {
    const [{ bytes }] = await this.query(`select pg_current_wal_insert_lsn() - '0/0' as bytes`);
    return {
      at: performance.now(),
      web: cpuMicros(this.web.pid),
      delivering: cpuMicros(this.deliverer.pid),
      database: cpuOfDatabase(this.backend),
      walBytes: Number(bytes),
    };
  }

  /** What everything spends in a second when nobody calls, in µs. */
  async rest() {
    const before = await this.#look();
    await sleep(SECONDS * 1000);
    const after = await this.#look();
    const seconds = (after.at - before.at) / 1000;
    this.background = {
      web: round((after.web - before.web) / seconds, 0),
      delivering: round((after.delivering - before.delivering) / seconds, 0),
      database: round(spentBy(before.database, after.database) / seconds, 0),
    };
  }

  /**
   * What the processes spend while a load lasts.
   * @returns the load's own figures, the processor time of each kind in µs, the seconds, the bytes of write-ahead log
   */
  async during(options) {
    await this.settle();
    const before = await this.#look();
    const found = await this.load(options);
    // What a change leaves to be done is part of what it costs.
    await this.settle();
    const after = await this.#look();
    const seconds = found.calls / found.perSecond;
    // While the rest was waited for, there was no load.
    const waited = (after.at - before.at) / 1000 - seconds;
    const spent = (name, micros) => micros - waited * this.background[name];
    return {
      ...found,
      seconds,
      web: spent('web', after.web - before.web),
      delivering: spent('delivering', after.delivering - before.delivering),
      database: spent('database', spentBy(before.database, after.database)),
      walBytes: after.walBytes - before.walBytes,
    };
  }
}

/** What is spent on each call beyond what is spent at rest. */
const perCall = (bench, found, name) => (found[name] - found.seconds * bench.background[name]) / found.calls;

/** What each operation costs, at about half of what the machine gives at the moment; the operations in turns. */
async function measureCalls(bench) {
  await bench.load({ mix: MIX, ...WARM_UP });
  const { perSecond } = await bench.load({ mix: MIX, seconds: 5 });
  const rounds = Object.fromEntries(OPERATIONS.map((operation) => [operation, []]));
  for (let i = 0; i < ROUNDS; i++) {
    for (const operation of OPERATIONS) {
      rounds[operation].push(await bench.during({ operation, seconds: SECONDS, ratePerSecond: perSecond / 3 }));
    }
  }
  const costs = (operation) => {
    const middle = (of) => round(median(rounds[operation].map(of)), 0);
    return {
      serviceMicros: middle((found) => perCall(bench, found, 'web')),
      databaseMicros: middle((found) => perCall(bench, found, 'database')),
      walBytes: middle((found) => found.walBytes / found.calls),
      isChange: CHANGES.has(operation),
    };
  };
  return Object.fromEntries(OPERATIONS.map((operation) => [operation, costs(operation)]));
}

/** Changes with and without endpoints: the difference is the delivery's. */
async function measureDelivery(bench) {
  const options = { operation: 'set_order_status', seconds: SECONDS, ratePerSecond: DELIVERIES_PER_SECOND };
  const without = await bench.during(options);
  await bench.addEndpoints();
  await bench.load({ ...options, seconds: 2 * SECONDS });
  const withOne = await bench.during(options);
  const more = (of) => round(Math.max(0, of(withOne) - of(without)), 0);
  return {
    serviceMicros: round(perCall(bench, withOne, 'delivering'), 0),
    databaseMicros: more((found) => perCall(bench, found, 'database')),
    walBytes: more((found) => found.walBytes / found.calls),
  };
}

/** What a commit waits for the disk: one that does less one that does not. */
async function measureFlush(bench) {
  const commits = async (mode) => {
    await bench.query(`set synchronous_commit = ${mode}`);
    const took = [];
    for (let i = 0; i < 200; i++) {
      const started = performance.now();
      await bench.query(`select pg_logical_emit_message(true, 'bench', 'x')`);
      took.push((performance.now() - started) * 1000);
    }
    return median(took);
  };
  const flush = (await commits('on')) - (await commits('off'));
  await bench.query('reset synchronous_commit');
  return round(Math.max(0, flush), 0);
}

/** Bytes on disk with indexes, of a row, partitions and all. */
async function bytesOf(bench, table) {
  const [{ bytes, rows }] = await bench.query(`
    select (select coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size('${table}'))
            from pg_partition_tree('${table}') where isleaf)::float8 as bytes, (select count(*) from ${table})::float8 as rows`);
  return rows === 0 ? 0 : round(bytes / rows, 0);
}

/** @returns what bench/simulate/costs.json holds */
export async function measureCosts(bench) {
  await bench.rest();
  const calls = await measureCalls(bench);
  const delivery = await measureDelivery(bench);
  const tables = ['orders', 'order_items', 'customers', 'order_events', 'webhook_deliveries', 'webhook_attempts', 'audit_log'];
  const bytes = {};
  for (const table of tables) bytes[table] = await bytesOf(bench, table);
  return { calls, delivery, background: bench.background, flushMicros: await measureFlush(bench), bytes };
}
