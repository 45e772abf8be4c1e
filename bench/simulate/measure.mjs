// What one call, one delivery and one order cost on this machine: the figures that the simulation is fed
// with.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { SecretBox } from '../../dist/src/platform/crypto/secret-box.js';
import { newToken } from '../../dist/src/platform/auth/token.js';
import { RECEIVER } from '../delivery.mjs';
import { cpuMicros, cpuOfDatabase, load, mainThread, spentBy } from '../measure.mjs';
import { seed } from '../seed.mjs';
import { freePort, median, round, start, startService } from '../service.mjs';
import { CALLERS, MIX, OPERATIONS, SLEEPY } from './calibrate.mjs';

const SIZE = { stores: 200, orders: 50_000 };
/**
 * Of each load. What it begins with (connections, tokens that nobody knows, a generator that is not compiled
 * yet) is not counted.
 */
const SECONDS = { lead: 1, counted: 3 };
/** By calls, since that is what V8 compiles by. */
const WARM_UP = { calls: 30_000, seconds: 40 };
const ROUNDS = 5;

/** A seeded database, one process that answers calls and one that delivers, to load and to look at. */
export class Bench {
  #rests = [];

  static async set(database) {
    const bench = new Bench();
    bench.receiverPort = await freePort();
    bench.box = new SecretBox([database.key]);
    const { tokens } = await seed(database.url, { ...SIZE, newToken });
    bench.options = { orders: SIZE.orders, tokens, connections: CALLERS };
    await start(
      RECEIVER,
      { PORT: String(bench.receiverPort), HANGING_PORT: String(await freePort()) },
      'ready',
    );
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

  /** @param onCounting is called when calls begin to count */
  load(options, onCounting) {
    return load({ ...this.options, ports: [this.web.port], ...options }, onCounting);
  }

  /** Waits until nothing is left of the load before: what it left would be counted with the next. */
  async settle() {
    const pending = `select 1 from webhook_deliveries where status = 'pending' limit 1`;
    while ((await this.query(pending)).length > 0) await sleep(100);
    await sleep(500);
  }

  async #look() {
    const seen = {
      at: performance.now(),
      web: cpuMicros(this.web.pid),
      delivering: cpuMicros(this.deliverer.pid),
      threads: { web: mainThread(this.web.pid), delivering: mainThread(this.deliverer.pid) },
      database: cpuOfDatabase(this.backend),
    };
    const [{ bytes }] = await this.query(`select pg_current_wal_insert_lsn() - '0/0' as bytes`);
    return { ...seen, walBytes: Number(bytes) };
  }

  /**
   * What everything spends in a second when nobody calls, in µs: the middle of all times that this was
   * called.
   */
  async rest() {
    await this.settle();
    // What a load leaves to be collected and written is none of it.
    await sleep(3_000);
    const before = await this.#look();
    await sleep(SECONDS.counted * 1000);
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
   * What the processes spend while a load lasts, of which nothing is left when it returns.
   * @returns the load's own figures, the processor time of each kind in µs, the seconds, the bytes of
   * write-ahead log
   */
  async during(options) {
    let atCounting = null;
    const lengths = { leadSeconds: SECONDS.lead, seconds: SECONDS.counted };
    const found = await this.load({ ...lengths, ...options }, () => (atCounting = this.#look()));
    const before = await atCounting;
    const loaded = await this.#look();
    // What a change leaves to be done is part of what it costs.
    await this.settle();
    const after = await this.#look();
    const seconds = found.calls / found.perSecond;
    // While the rest was waited for, there was no load.
    const waited = (after.at - before.at) / 1000 - seconds;
    const spent = (name, micros) => micros - waited * this.background[name];
    /**
     * Of the main thread while the load lasted: how much longer it took than it ran, since it waited for a
     * core.
     */
    const thread = (name) => {
      const [ran, ready] = ['ran', 'waited'].map(
        (key) => loaded.threads[name][key] - before.threads[name][key],
      );
      return { stretch: (ran + ready) / ran };
    };
    return {
      ...found,
      seconds,
      threads: { web: thread('web'), delivering: thread('delivering') },
      web: spent('web', after.web - before.web),
      delivering: spent('delivering', after.delivering - before.delivering),
      database: spent('database', spentBy(before.database, after.database)),
      walBytes: after.walBytes - before.walBytes,
    };
  }
}

/** Loads as fast as they go, at which hardly a process sleeps. */
const FULL = {
  ...Object.fromEntries(OPERATIONS.map((operation) => [operation, { operation }])),
  delivered: { operation: 'set_order_status', isDelivered: true },
  mixed: { mix: MIX, isDelivered: true },
};

/**
 * Every load, in turns, so that whatever the machine does meanwhile happens to all of them.
 * @param shares of what the machine gives, at which the mix is measured besides
 * @returns the rounds of FULL, of SLEEPY, and of each share; `offered` is the pace, where there is one
 */
export async function inTurns(bench, shares) {
  await bench.deliver(true);
  await bench.load({ mix: MIX, ...WARM_UP });
  const { perSecond: capacity } = await bench.load({
    mix: MIX,
    leadSeconds: SECONDS.lead,
    seconds: SECONDS.counted,
  });
  await bench.settle();
  const paced = (share) => ({ mix: MIX, isDelivered: true, ratePerSecond: Math.round(share * capacity) });
  const loads = [
    ...Object.entries(SLEEPY).map(([name, share]) => [name, paced(share)]),
    ...Object.entries(FULL),
    ...shares.map((share) => [share, paced(share)]),
  ];
  const rounds = Object.fromEntries(loads.map(([name]) => [name, []]));
  for (let i = 0; i < ROUNDS; i++) {
    await bench.rest();
    for (const [name, { isDelivered = false, ...options }] of loads) {
      await bench.deliver(isDelivered);
      rounds[name].push({ ...(await bench.during(options)), offered: options.ratePerSecond });
    }
  }
  return rounds;
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

/** How much longer work takes while all other cores are busy with the same. */
async function measureSharing(cores) {
  const file = path.join(import.meta.dirname, 'work.mjs');
  const micros = async () => Number((await promisify(execFile)(process.execPath, [file])).stdout);
  const ratios = [];
  for (let i = 0; i < ROUNDS; i++) {
    const alone = await micros();
    const together = await Promise.all(Array.from({ length: cores }, micros));
    ratios.push(median(together) / alone);
  }
  return round(Math.max(1, median(ratios)));
}

/** Bytes on disk with indexes, of a row, partitions and all. */
async function bytesOf(bench, table) {
  const [{ bytes, rows }] = await bench.query(`
    select (select coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size('${table}'))
            from pg_partition_tree('${table}') where isleaf)::float8 as bytes, (select count(*) from ${table})::float8 as rows`);
  return rows === 0 ? 0 : round(bytes / rows, 0);
}

/**
 * @param cores of the machine  @returns what is not found by looking at loads: what is spent at rest, a
 * flush, bytes, shared cores
 */
export async function measureOthers(bench, cores) {
  const tables = [
    'orders',
    'order_items',
    'customers',
    'order_events',
    'webhook_deliveries',
    'webhook_attempts',
    'audit_log',
  ];
  const bytes = {};
  for (const table of tables) bytes[table] = await bytesOf(bench, table);
  return {
    background: bench.background,
    flushMicros: await measureFlush(bench),
    sharing: await measureSharing(cores),
    bytes,
  };
}
