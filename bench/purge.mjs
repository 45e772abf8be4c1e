// npm run bench:purge: measures how long changes take while expired rows are deleted and while they are not,
// in turns, at a rate that the machine can sustain. BENCH_SCALE sets the number of rows to delete, BENCH_RATE
// the changes per second, BENCH_ROUNDS how often both are measured, and BENCH_TABLES the tables.
import pg from 'pg';
import { newToken } from '../dist/src/platform/auth/token.js';
import { SecretBox } from '../dist/src/platform/crypto/secret-box.js';
import { Retention } from '../dist/src/platform/database/retention.service.js';
import { SystemDatabase } from '../dist/src/platform/database/system.js';
import { load } from './measure.mjs';
import { seed } from './seed.mjs';
import { median, round, startService, stop, withDatabase } from './service.mjs';

const SCALE = Number(process.env.BENCH_SCALE ?? 1);
const RATE = Number(process.env.BENCH_RATE ?? 100);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SECONDS = 5;
/** Enough rows for a round. */
const ROWS = { audit_log: 1_000_000 * SCALE, webhook_deliveries: 300_000 * SCALE };
/** A choice of the tables below. */
const TABLES = (process.env.BENCH_TABLES ?? 'audit_log,webhook_deliveries').split(',');
const STORES = 50;
const ORDERS = 20_000;

/**
 * Inserts expired rows, which a purge deletes: $1 is their number, $2 a store. Deliveries are inserted with
 * their attempts.
 */
const OLD = {
  audit_log: `
    insert into audit_log (store_id, id, at, actor_kind, actor_id, actor_name, operation, transport, target,
      input, changes, outcome, request_id)
    select $2, uuidv7(interval '-401 days'), now() - interval '401 days', 'token', gen_random_uuid()::text,
      'bench', 'set_order_status', 'http',
      'order:' || n, '{"orderId":1,"status":"SHIPPED"}', '{"status":["PROCESSING","SHIPPED"]}', 'ok', n::text
      from generate_series(1, $1::int) n`,
  webhook_deliveries: `
    with sent as (
      insert into webhook_deliveries (store_id, id, status, created_at, finished_at)
      select $2, uuidv7(interval '-31 days'), 'delivered', now() - interval '31 days',
        now() - interval '31 days' from generate_series(1, $1::int)
      returning id
    ) insert into webhook_attempts (store_id, delivery_id, id, at, duration_ms, status_code)
    select $2, id, uuidv7(interval '-31 days'), now() - interval '31 days', 20, 204 from sent`,
};

const AGE = {
  audit_log: `at < now() - interval '400 days'`,
  webhook_deliveries: `created_at < now() - interval '30 days'`,
};

/** Deletes rows of one table as a process of the service does, until it is stopped. */
function purging(system, table) {
  const retention = new Retention(
    { auditDays: 400 },
    system,
    { now: () => new Date() },
    { purged: () => undefined },
    console,
  );
  retention.rules = retention.rules.filter((rule) => rule.table === table);
  const stopping = new AbortController();
  const done = retention.purge(stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}

await withDatabase(async (database) => {
  const box = new SecretBox([database.key]);
  const { stores, tokens } = await seed(database.url, {
    stores: STORES,
    orders: ORDERS,
    newToken,
    webhookUrl: 'http://127.0.0.1:9/',
    sealedSecret: (id) => box.seal('whsec_bench', `webhook:${id}`),
  });
  const owner = new pg.Client({ connectionString: database.url });
  // If the work below fails, the database stops first. The resulting error must not hide the failure.
  owner.on('error', () => undefined);
  await owner.connect();
  const { child, port } = await startService(database);
  const system = new SystemDatabase(database.systemUrl, { max: 1, onError: () => undefined });
  const changes = (seconds) =>
    load({
      operation: 'set_order_status',
      ports: [port],
      orders: ORDERS,
      tokens,
      connections: 16,
      ratePerSecond: RATE,
      seconds,
    });
  const left = async (table) =>
    Number((await owner.query(`select count(*) from ${table} where ${AGE[table]}`)).rows[0].count);
  const fill = async (table) => {
    await owner.query(OLD[table], [ROWS[table] - (await left(table)), stores[0]]);
    await owner.query(`vacuum analyze ${table}`);
    await owner.query('checkpoint');
    return left(table);
  };
  await changes(10);

  const rows = {};
  for (const table of TABLES) {
    const found = { alone: [], beside: [] };
    let deleted = 0;
    for (let i = 0; i < 2 * ROUNDS; i++) {
      const kind = (i + Math.floor(i / 2)) % 2 === 0 ? 'alone' : 'beside';
      const before = await fill(table);
      const purge = kind === 'beside' ? purging(system, table) : null;
      found[kind].push(await changes(SECONDS));
      await purge?.stop();
      const after = await left(table);
      if (after === 0)
        throw new Error(`${table}: everything was deleted before the end; make BENCH_SCALE larger`);
      deleted += before - after;
    }
    for (const key of ['p50', 'p95', 'p99']) {
      const [alone, beside] = [found.alone, found.beside].map((rounds) =>
        median(rounds.map((its) => its[key])),
      );
      const ratios = found.alone.map((its, n) => found.beside[n][key] / its[key]);
      rows[`${table}, ${key}`] = {
        'alone, ms': round(alone),
        'beside a purge, ms': round(beside),
        ratio: round(median(ratios)),
        range: `${round(Math.min(...ratios))} to ${round(Math.max(...ratios))}`,
        'rows deleted a second': round(deleted / ROUNDS / SECONDS, 0),
      };
    }
  }
  console.log(
    `\n${RATE} changes a second (set_order_status of stores with a webhook), ` +
      `${ROUNDS} rounds of ${SECONDS} s each`,
  );
  console.table(rows);
  await system.close();
  await owner.end();
  await stop(child);
});
