import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { applyMigrations } from '../../src/platform/database/installation/migration-runner.js';
import { LockWatch } from '../support/lock-watch.js';
import { OLD_SHOP, restoreOldVersion } from '../support/old-version.js';
import { emptyDatabase } from '../support/own-database.js';
import { ownerQuery } from '../support/test-app.js';

/** `npm run test:upgrade` takes a million. */
const ORDERS = Number(process.env.UPGRADE_ORDERS ?? 20_000);
const CALLS_A_SECOND = 50;
const CLIENTS = 10;
/**
 * What a call may wait for locks: by the server's account, since other work of the machine is no fault of a
 * migration.
 */
const LONGEST_MS = 1_000;
const LIMIT_MS = 60_000 + ORDERS * 2;

/** From here on version 1.0 can write no order: what a delivery carries stands in another table. */
const END_OF_OLD = 'OrderEvents1763700000230';
/**
 * Written before the rules: they hold their lock as long as there is work, which is not told of a million
 * rows (docs/operations.md).
 */
const LONG_LOCKS = ['AuditAge1763700000120', 'DeliveriesOfDeletedOrders1763700000123'];
const DELIVERIES = Math.min(ORDERS, 20_000);

/**
 * As many rows as an installation of this size has, written without the triggers that a shop's own changes go
 * through.
 */
const FILL = [
  `insert into customers (store_id, id, username, first_name, created_at, updated_at, search_text)
   select $1, 1000000 + n, 'user' || n, 'First' || n % 5000, now(), now(), E'first' || n % 5000 || E'\\n\\nuser' || n from generate_series(1, $2::int / 5) n`,
  `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id, created_at, updated_at)
   select $1, 100 + n, (array['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED'])[1 + n % 4], 'manual', 1000 + n % 5000, 'USD', 1000001 + n % ($2::int / 5),
     now() - n * interval '1 s', now() - n * interval '1 s' from generate_series(1, $2::int) n`,
  `insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
   select $1, 100 + n, 1, 'sku-' || n % 5000, 'Thing ' || n % 5000, 1, 1000 + n % 5000 from generate_series(1, $2::int) n`,
  `insert into webhook_deliveries (store_id, id, order_id, event, body, status, created_at, finished_at)
   select $1, (lpad(to_hex((extract(epoch from now()) * 1000 - n)::bigint), 12, '0') || '7000' || lpad(to_hex(32768 + n % 16384), 4, '0') || lpad(to_hex(n), 12, '0'))::uuid,
     100 + n, 'order.created', convert_to(repeat('x', 600), 'UTF8'), 'delivered', now(), now() from generate_series(1, least($2::int, ${DELIVERIES})) n`,
  `insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, target, input, changes, outcome, request_id)
   select $1, gen_random_uuid(), now() - n * interval '1 s', 'token', 'filled', 'set_order_status', 'http', 'order:' || 100 + n, '{}',
     '{"status":["PENDING","PROCESSING"]}', 'ok', 'r' || n from generate_series(1, $2::int) n`,
];

/** What version 1.0 asks of the database for get_order, list_orders and set_order_status. */
const ORDER = `json_build_object('id', o.id, 'status', o.status, 'updatedAt', o.updated_at, 'items', (
  select json_agg(json_build_object('productId', i.product_id, 'title', i.title) order by i.position) from order_items i
  where i.store_id = o.store_id and i.order_id = o.id))::text as json`;
const GET_ORDER = `select ${ORDER} from orders o where o.store_id = $1 and o.id = $2`;
const LIST_ORDERS = `select o.id, ${ORDER} from orders o where o.store_id = $1 and o.id < $2 order by o.id desc limit 20`;
const CHANGE_ORDER = `
  with changed as (
    update orders o set status = $3, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), o.updated_at + interval '1 millisecond')
    where o.store_id = $1 and o.id = $2 returning o.*
  ) insert into webhook_deliveries (store_id, id, order_id, event, body, next_attempt_at, created_at)
  select $1, gen_random_uuid(), o.id, 'order.updated', convert_to(row_to_json(o)::text, 'UTF8'), now() + interval '1 day', now() from changed o`;
const AUDIT = `
  insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, target, input, changes, outcome, request_id)
  values ($1, gen_random_uuid(), now(), 'token', 'old', 'set_order_status', 'http', 'order:' || $2, '{}', '{"status":["PENDING","SHIPPED"]}', 'ok', 'old')`;

interface Call {
  kind: 'read' | 'write';
  ms: number;
  at: number;
  error: string | null;
}

/**
 * Calls of a version 1.0 that still runs, as its own role, so many a second whether they are answered or not.
 */
class OldInstances {
  readonly calls: Call[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private count = 0;

  constructor(private readonly pool: pg.Pool) {
    this.timer = setInterval(() => {
      const call = this.call(this.count++).finally(() => this.underWay.delete(call));
      this.underWay.add(call);
    }, 1_000 / CALLS_A_SECOND);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.underWay);
    await this.pool.end();
  }

  private async call(n: number): Promise<void> {
    const orderId = 101 + ((n * 7_919) % ORDERS);
    const kind = n % 3 === 0 ? 'write' : 'read';
    const at = performance.now();
    const error = await this.inStore(kind, orderId, n).then(
      () => null,
      (failure: Error) => failure.message,
    );
    this.calls.push({ kind, ms: performance.now() - at, at, error });
  }

  private async inStore(kind: Call['kind'], orderId: number, n: number): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('shop.store_id', $1, true)`, [OLD_SHOP.storeId]);
      if (kind === 'read') await client.query(n % 2 ? GET_ORDER : LIST_ORDERS, [OLD_SHOP.storeId, orderId]);
      else {
        await client.query(CHANGE_ORDER, [OLD_SHOP.storeId, orderId, n % 2 ? 'SHIPPED' : 'PROCESSING']);
        await client.query(AUDIT, [OLD_SHOP.storeId, orderId]);
      }
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }
}

/**
 * The database of version 1.0 as it is while that version runs: its roles have the passwords it gave them.
 */
async function oldDatabase(): Promise<{ ownerUrl: string; storeUrl: string }> {
  const ownerUrl = await emptyDatabase();
  const name = new URL(ownerUrl).pathname.slice(1);
  const roles = { store: `${name}_store`, system: `${name}_system` };
  const storeUrl = new URL(ownerUrl);
  for (const role of Object.values(roles)) {
    const password = createHmac('sha256', Buffer.from(OLD_SHOP.key, 'base64'))
      .update(`role:${role}`)
      .digest('base64url');
    await ownerQuery(`create role ${role} login password '${password}'`, [], ownerUrl);
    if (role === roles.store) Object.assign(storeUrl, { username: role, password });
  }
  await restoreOldVersion(ownerUrl, roles);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const text of FILL)
    await client.query(
      text.replaceAll('$1', `'${OLD_SHOP.storeId}'::uuid`).replaceAll('$2::int', String(ORDERS)),
    );
  await client.query('vacuum analyze');
  await client.end();
  return { ownerUrl, storeUrl: storeUrl.href };
}

describe(`an upgrade of a database of version 1.0 with ${ORDERS} orders, while that version serves`, () => {
  let ownerUrl: string;
  let old: OldInstances;
  let endedAt: number;
  /**
   * What waited longest for a lock, by the migration that was run last then, and when that began and ended.
   */
  const steps: { last: string; watch: LockWatch; from: number; to: number }[] = [];

  /** Applies what is pending up to this migration, while calls go on. */
  async function migrateTo(last: string): Promise<void> {
    const from = performance.now();
    const watch = await LockWatch.start(ownerUrl);
    const migrations = MIGRATIONS.filter(({ name }) => numberOf(name) <= numberOf(last));
    const dataSource = await new DataSource({ type: 'postgres', url: ownerUrl, migrations }).initialize();
    await applyMigrations(dataSource).finally(() => dataSource.destroy());
    steps.push({ last, watch: await watch.stop(), from, to: performance.now() });
  }

  beforeAll(async () => {
    const database = await oldDatabase();
    ({ ownerUrl } = database);
    old = new OldInstances(new pg.Pool({ connectionString: database.storeUrl, max: CLIENTS }));
    await sleep(1_000);
    const sorted = MIGRATIONS.map(({ name }) => name).sort((one, other) => numberOf(one) - numberOf(other));
    for (const name of LONG_LOCKS) {
      await migrateTo(sorted[sorted.indexOf(name) - 1]);
      await migrateTo(name);
    }
    await migrateTo(sorted[sorted.indexOf(END_OF_OLD) - 1]);
    endedAt = performance.now();
    await old.stop();
    await prepareDatabase(ownerUrl, [OLD_SHOP.key], MIGRATIONS);
  }, LIMIT_MS);

  it('serves every call without a delay of a second, up to the migration before which that version must stop', () => {
    const served = old.calls.filter(({ at }) => at < endedAt);
    expect(served.length).toBeGreaterThan(CALLS_A_SECOND);
    expect([...new Set(served.map(({ error }) => error))]).toEqual([null]);
    expect(served.some(({ kind }) => kind === 'write')).toBe(true);
    const within = ({ from, to }: { from: number; to: number }) =>
      served.filter(({ at, ms }) => at + ms > from && at < to);
    for (const { last, watch, ...span } of steps) {
      const longest = Math.max(0, ...within(span).map(({ ms }) => ms));
      process.stdout.write(
        `${ORDERS} orders, to ${last}: ${within(span).length} calls, the longest ${Math.round(longest)} ms, ` +
          `of which at most ${Math.round(watch.longestMs)} ms for a lock\n`,
      );
    }
    const isMillion = process.env.UPGRADE_ORDERS !== undefined;
    const judged = steps.filter(({ last }) => !isMillion || !LONG_LOCKS.includes(last));
    const tooLong = judged
      .filter(({ watch }) => watch.longestMs > LONGEST_MS)
      .map(({ last, watch }) => [last, watch.longest]);
    expect(tooLong).toEqual([]);
  });

  it('keeps every acknowledged change', async () => {
    const writes = old.calls.filter(({ kind, error }) => kind === 'write' && error === null).length;
    const [{ events, audited }] = await ownerQuery<{ events: number; audited: number }>(
      `select (select count(*)::int from order_events where event = 'order.updated' and created_at > now() - interval '1 hour') as events,
         (select count(*)::int from audit_log where request_id = 'old') as audited`,
      [],
      ownerUrl,
    );
    expect(audited).toBe(writes);
    expect(events).toBeGreaterThanOrEqual(writes);
  });
});

const numberOf = (name: string) => Number(/\d+$/.exec(name)![0]);
