// What one call, one delivery and one order cost on this machine: the figures that the simulation is fed with.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SecretBox } from '../../dist/src/platform/crypto/secret-box.js';
import { newToken } from '../../dist/src/platform/auth/token.js';
import { RECEIVER } from '../delivery.mjs';
import { cpuMicros, cpuOfDatabase, load, mainThread, spentBy } from '../measure.mjs';
import { seed } from '../seed.mjs';
import { freePort, median, round, start, startService } from '../service.mjs';

const CHANGES = new Set(['set_order_status']);
const OPERATIONS = ['get_order', 'list_orders', 'set_order_status'];
const SIZE = { stores: 200, orders: 50_000 };
const SECONDS = 5;
/** By calls, since that is what V8 compiles by. */
const WARM_UP = { calls: 30_000, seconds: 60 };
export const MIX = { get_order: 0.8, list_orders: 0.1, set_order_status: 0.1 };
/** A load at which processes sleep between calls, as a share of what the machine gives. */
const SELDOM = 0.1;
const ROUNDS = 4;
export const CALLERS = 64;

/** A seeded database, one process that answers calls and one that delivers, to load and to look at. */
export class Bench {
  #rests = [];

  static async set(database) {
    const bench = new Bench();
    bench.receiverPort = await freePort();
    bench.box = new SecretBox([database.key]);
    const { tokens } = await seed(database.url, { ...SIZE, newToken });
    bench.options = { orders: SIZE.orders, tokens, connections: CALLERS };
    await start(RECEIVER, { PORT: String(bench.receiverPort), HANGING_PORT: String(await freePort()) }, 'ready');
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

  /** Whether changes are delivered. */
  async deliver(isOn) {
    await this.query('delete from webhook_endpoints');
    if (!isOn) return;
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
      threads: { web: mainThread(this.web.pid), delivering: mainThread(this.deliverer.pid) },
      database: cpuOfDatabase(this.backend),
      walBytes: Number(bytes),
    };
  }

  /** What everything spends in a second when nobody calls, in µs: the middle of all times that this was called. */
  async rest() {
    await this.settle();
    // What a load leaves to be collected and written is none of it.
    await sleep(3_000);
    const before = await this.#look();
    await sleep(SECONDS * 1000);
    const after = await this.#look();
    const seconds = (after.at - before.at) / 1000;
    this.#rests.push({
      web: (after.web - before.web) / seconds,
      delivering: (after.delivering - before.delivering) / seconds,
      database: spentBy(before.database, after.database) / seconds,
    });
    const middle = (name) => round(median(this.#rests.map((rest) => rest[name])), 0);
    this.background = { web: middle('web'), delivering: middle('delivering'), database: middle('database') };
  }

  /**
   * What the processes spend while a load lasts.
   * @returns the load's own figures, the processor time of each kind in µs, the seconds, the bytes of write-ahead log
   */
  async during(options) {
    await this.settle();
    const before = await this.#look();
    const found = await this.load(options);
    const loaded = await this.#look();
    // What a change leaves to be done is part of what it costs.
    await this.settle();
    const after = await this.#look();
    const seconds = found.calls / found.perSecond;
    // While the rest was waited for, there was no load.
    const waited = (after.at - before.at) / 1000 - seconds;
    const spent = (name, micros) => micros - waited * this.background[name];
    /** Of the main thread while the load lasted: how far it was asleep, and how much longer it took than it ran. */
    const thread = (name) => {
      const [ran, ready] = ['ran', 'waited'].map((key) => loaded.threads[name][key] - before.threads[name][key]);
      return { idle: Math.max(0, 1 - (ran + ready) / ((loaded.at - before.at) * 1000)), stretch: (ran + ready) / ran };
    };
    return {
      ...found,
      seconds,
      threads: { web: thread('web'), delivering: thread('delivering') },
      callerStretch: found.stretch,
      web: spent('web', after.web - before.web),
      delivering: spent('delivering', after.delivering - before.delivering),
      database: spent('database', spentBy(before.database, after.database)),
      walBytes: after.walBytes - before.walBytes,
    };
  }
}

/** What is spent on each call beyond what is spent at rest. */
const perCall = (bench, found, name) => (found[name] - found.seconds * bench.background[name]) / found.calls;

/** Loads as fast as they go, at which no process sleeps: what a call costs that finds it awake. Nothing is delivered but in one. */
const FULL = {
  ...Object.fromEntries(OPERATIONS.map((operation) => [operation, { operation }])),
  delivered: { operation: 'set_order_status', isDelivered: true },
};

/**
 * Every load, in turns, so that whatever the machine does meanwhile happens to all of them. A turn finds out what the machine gives at
 * the moment, in calls of the mix a second.
 * @param shares of that, at which the mix is measured besides  @returns the rounds of FULL, of `seldom`, and of each share
 */
export async function inTurns(bench, shares) {
  const mixed = (share, capacity) => ({ mix: MIX, isDelivered: true, ratePerSecond: share && share * capacity });
  const rounds = { mixed: [], seldom: [], ...Object.fromEntries([...Object.keys(FULL), ...shares].map((name) => [name, []])) };
  await bench.load({ mix: MIX, ...WARM_UP });
  let { perSecond: capacity } = await bench.load({ mix: MIX, seconds: SECONDS });
  for (let i = 0; i < ROUNDS; i++) {
    const measure = async (name, { isDelivered = false, ...options }) => {
      await bench.deliver(isDelivered);
      rounds[name].push({ ...(await bench.during({ seconds: SECONDS, ...options })), offered: options.ratePerSecond });
    };
    await bench.rest();
    await measure('seldom', mixed(SELDOM, capacity));
    await measure('mixed', mixed());
    capacity = rounds.mixed[i].perSecond;
    for (const [name, options] of Object.entries(FULL)) await measure(name, options);
    for (const share of shares) await measure(share, mixed(share, capacity));
  }
  return rounds;
}

/** @param rounds of inTurns */
function costsOf(bench, rounds) {
  const middle = (name, of) => round(Math.max(0, median(rounds[name].map(of))), 0);
  const calls = Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation,
      {
        serviceMicros: middle(operation, (found) => perCall(bench, found, 'web')),
        databaseMicros: middle(operation, (found) => perCall(bench, found, 'database')),
        walBytes: middle(operation, (found) => found.walBytes / found.calls),
        isChange: CHANGES.has(operation),
      },
    ]),
  );
  /** A change that is delivered, less one that is not. */
  const more = (of) => middle('delivered', (found) => of(found) - of(rounds.set_order_status[rounds.delivered.indexOf(found)]));
  const delivery = {
    serviceMicros: middle('delivered', (found) => perCall(bench, found, 'delivering')),
    databaseMicros: more((found) => perCall(bench, found, 'database')),
    walBytes: more((found) => found.walBytes / found.calls),
  };
  const ofMix = (key) => Object.entries(MIX).reduce((sum, [name, share]) => sum + share * calls[name][key], 0);
  /**
   * Waking up, and reading and writing what would otherwise go together: what calls that are few cost in addition.
   * @param awake what each costs where nobody sleeps  @param wakes how often each may find the process asleep
   */
  const waking = (of, awake, thread, wakes) =>
    middle('seldom', (found) => (of(found) - awake) / wakes / found.threads[thread].idle);
  const changes = MIX.set_order_status;
  return {
    calls,
    delivery,
    wakeMicros: {
      web: waking((found) => perCall(bench, found, 'web'), ofMix('serviceMicros'), 'web', 2),
      database: waking(
        (found) => perCall(bench, found, 'database'),
        ofMix('databaseMicros') + changes * delivery.databaseMicros,
        'web',
        1,
      ),
      delivering: waking((found) => perCall(bench, found, 'delivering') / changes, delivery.serviceMicros, 'delivering', 2),
    },
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

/** @param rounds of inTurns  @returns what bench/simulate/costs.json holds */
export async function measureCosts(bench, rounds) {
  const tables = ['orders', 'order_items', 'customers', 'order_events', 'webhook_deliveries', 'webhook_attempts', 'audit_log'];
  const bytes = {};
  for (const table of tables) bytes[table] = await bytesOf(bench, table);
  return { ...costsOf(bench, rounds), background: bench.background, flushMicros: await measureFlush(bench), bytes };
}
