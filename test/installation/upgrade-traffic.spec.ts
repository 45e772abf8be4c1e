import pg from 'pg';
import { MIGRATIONS } from '../../migrations/all.js';
import { BATCH, createIndex, inBatches, seeingRows } from '../../migrations/steps.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { LockWatch } from '../support/database/lock-watch.js';
import { madeStep, withSteps } from '../support/database/made-steps.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { ownerQuery, TestApp, type TestStore } from '../support/test-app.js';
import { paced } from '../support/waiting/paced.mjs';

const KEY = process.env.TEST_ENCRYPTION_KEY!;
/** `npm run test:upgrade` takes a million. */
const ORDERS = Number(process.env.UPGRADE_ORDERS ?? 20_000);
const CALLS_A_SECOND = 50;
/**
 * What a call may wait for locks: by the server's account, since other work of the machine is no fault of a
 * step.
 */
const LONGEST_MS = 1_000;
const LIMIT_MS = 60_000 + ORDERS * 2;

/**
 * As many rows as an installation of this size has, written without the triggers that a shop's own changes go
 * through.
 */
const FILL = [
  `insert into customers (store_id, id, username, created_at, updated_at)
   select $1, 1000000 + n, 'user' || n, now(), now() from generate_series(0, $2::int / 5) n`,
  `insert into orders
     (store_id, id, status, payment_method, total_price, currency, messenger_user_id, created_at, updated_at)
   select $1, 100 + n, (array['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED'])[1 + n % 4], 'manual',
     1000 + n % 5000, 'USD', 1000000 + n % ($2::int / 5), now() - n * interval '1 s',
     now() - n * interval '1 s'
   from generate_series(1, $2::int) n`,
  `insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
   select $1, 100 + n, 1, 'sku-' || n % 5000, 'Thing ' || n % 5000, 1, 1000 + n % 5000
   from generate_series(1, $2::int) n`,
  `insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, target, input,
    outcome,
     request_id)
   select $1, gen_random_uuid(), now() - n * interval '1 s', 'token', 'filled', 'update_order', 'http',
     'order:' || 100 + n, '{}', 'ok', 'r' || n from generate_series(1, $2::int) n`,
];

/** What a release might bring, each by the rules (CONTRIBUTING.md, Changing the schema). */
const STEPS = [
  madeStep('Columns8000000000001', async (runner) => {
    await runner.query('alter table orders add column tried text');
    await runner.query('alter table audit_log add column tried text');
  }),
  madeStep(
    'Index8000000000002',
    (runner) => createIndex(runner, 'orders_tried', 'orders (store_id, carrier, id)'),
    false,
  ),
  madeStep(
    'Backfill8000000000003',
    (runner) =>
      seeingRows(runner, ['orders'], () =>
        inBatches(
          runner,
          `update orders set tried = status where ctid = any(array(
             select ctid from orders where tried is null limit ${BATCH}))`,
        ),
      ),
    false,
  ),
  madeStep(
    'Constraint8000000000004',
    async (runner) => {
      await runner.query('alter table orders drop constraint if exists tried');
      await runner.query(`alter table orders add constraint tried check (length(tried) < 100) not valid`);
      await runner.query('alter table orders validate constraint tried');
    },
    false,
  ),
];

interface Call {
  kind: 'read' | 'write';
  ms: number;
  status: number;
}

/** Calls of the version before, so many a second whether they are answered or not. */
class Traffic {
  readonly calls: Call[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private count = 0;

  constructor(private readonly store: TestStore) {
    this.timer = setInterval(() => {
      const call = this.call(this.count++).finally(() => this.underWay.delete(call));
      this.underWay.add(call);
    }, 1_000 / CALLS_A_SECOND);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.underWay);
  }

  private async call(n: number): Promise<void> {
    const orderId = 101 + ((n * 7_919) % ORDERS);
    const kind = n % 3 === 0 ? 'write' : 'read';
    const at = performance.now();
    const { status } = await this.send(kind, orderId, n % 2 === 0);
    this.calls.push({ kind, ms: performance.now() - at, status });
  }

  private send(kind: Call['kind'], orderId: number, isEven: boolean): Promise<{ status: number }> {
    if (kind === 'write')
      return this.store.call('set_order_status', { orderId, status: isEven ? 'PROCESSING' : 'SHIPPED' });
    return isEven ? this.store.call('get_order', { orderId }) : this.store.call('list_orders', { take: 20 });
  }
}

describe(`an upgrade of a database with ${ORDERS} orders, while the version before serves`, () => {
  let app: TestApp;
  let traffic: Traffic;
  let watch: LockWatch;
  let ownerUrl: string;

  beforeAll(async () => {
    const database = await preparedDatabase();
    ({ ownerUrl } = database);
    app = await TestApp.start({ database });
    const store = await app.store();
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    await client.query('set session_replication_role = replica');
    for (const text of FILL)
      await client.query(text.replaceAll('$1', `'${store.id}'::uuid`).replaceAll('$2', String(ORDERS)));
    await client.query('vacuum analyze');
    await client.end();
    traffic = new Traffic(store);
    await paced(1_000);
    watch = await LockWatch.start(ownerUrl);
    const { applied } = await prepareDatabase(ownerUrl, [KEY], withSteps(...STEPS));
    expect(applied).toHaveLength(STEPS.length);
    await watch.stop();
    await paced(1_000);
    await traffic.stop();
  }, LIMIT_MS);
  afterAll(() => app.stop());

  it('lets every call succeed, and none wait a second for a lock', () => {
    const longest = Math.max(...traffic.calls.map(({ ms }) => ms));
    process.stdout.write(
      `${ORDERS} orders: ${traffic.calls.length} calls, the longest ${Math.round(longest)} ms, ` +
        `of which at most ${Math.round(watch.longestMs)} ms for a lock\n`,
    );
    expect(traffic.calls.length).toBeGreaterThan(2 * CALLS_A_SECOND);
    expect([...new Set(traffic.calls.map(({ status }) => status))]).toEqual([200]);
    expect({ statement: watch.longest, isShort: watch.longestMs < LONGEST_MS }).toMatchObject({
      isShort: true,
    });
  });

  it('keeps every acknowledged change', async () => {
    const writes = traffic.calls.filter(({ kind }) => kind === 'write').length;
    const [{ audited }] = await ownerQuery<{ audited: number }>(
      `select count(*)::int as audited from audit_log where operation = 'set_order_status'`,
      [],
      ownerUrl,
    );
    expect(writes).toBeGreaterThan(0);
    expect(audited).toBe(writes);
  });

  it('lets the version before run on, but not start again', async () => {
    const other = await app.store();
    expect(await other.data('list_orders')).toMatchObject({ items: [] });
    await expect(prepareDatabase(ownerUrl, [KEY], MIGRATIONS)).rejects.toThrow(
      'use the version that has migrated it, or a newer one',
    );
  });
});
