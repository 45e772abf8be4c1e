import { MIGRATIONS } from '../../../migrations/all.js';
import { prepareDatabase } from '../../../src/platform/database/installation/migrate.js';
import { OrderPlacing } from '../../../src/groups/orders/placing/order-placing.service.js';
import { StoreDatabase } from '../../../src/platform/store/store-context.js';
import { Stores } from '../../../src/stores/stores.service.js';
import { everyRow } from '../../support/database/every-table.js';
import { everySecretOpens } from '../../support/full-shop.js';
import { shop } from '../../support/servers/service-process.js';
import { isSlow } from '../../support/slow.js';
import { ownerQuery, TestApp } from '../../support/test-app.js';
import { BackedUp, env, key, ordinal } from './backed-up.js';

const FILES = isSlow ? (['whole', 'single'] as const) : (['single'] as const);

/** What a store beside the first one does not get. */
const ABSENT = [
  'api_tokens',
  'awaited_payments',
  'bots',
  'idempotency_keys',
  'invitations',
  'invoices',
  'notice_chats',
  'notice_cursors',
  'oauth_grants',
  'oauth_tokens',
  'order_events',
  'order_events_default',
  'order_keys',
  'plan_changes',
  'previewed_changes',
  'record_changes',
  'subscriptions',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_due_stores',
  'webhook_endpoints',
];

describe('a store restored as a new one', () => {
  let made: BackedUp;
  beforeAll(async () => {
    made = await BackedUp.make();
  });
  afterAll(() => made.remove());

  const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    ownerQuery<Row>(text, values, made.source.ownerUrl);
  const restore = (...args: string[]) => shop(env(made.source.ownerUrl), 'restore', ...args);
  const rowsOf = (storeId: string) =>
    everyRow(made.source.ownerUrl, (table, hasStore) =>
      hasStore ? `where store_id = '${storeId}'` : table === 'stores' ? `where id = '${storeId}'` : '',
    );

  it.each(FILES)(
    'stands beside the first one, with its data and members and without what it sends (%s)',
    async (file) => {
      const first = made.full.id;
      const before = await rowsOf(first);
      const restored = await restore('--store', first, '--as-new', '--from', made[file]);
      expect(restored.output).toEqual({
        id: expect.any(String),
        name: 'Full shop',
        orders: before.orders.length,
      });
      const { id } = restored.output;
      expect(id).not.toBe(first);
      // Nothing of the first store has changed.
      expect(await rowsOf(first)).toEqual(before);
      const after = await rowsOf(id);
      for (const [table, rows] of Object.entries(before)) {
        if (CHANGED.includes(table) || !rows.some((row) => row.includes(first))) continue;
        const expected = ABSENT.includes(table) ? [] : rows.map((row) => row.replaceAll(first, id)).sort();
        expect({ table, rows: [...after[table]].sort() }).toEqual({ table, rows: expected });
      }
      expect(after.checkout_configurations).toHaveLength(1);
      await everySecretOpens(made.source.ownerUrl, [key]);
      expect(await query(`select status, lease_token from campaigns where store_id = $1`, [id])).toEqual([
        { status: 'finished', lease_token: null },
      ]);
      const [{ pending }] = await query(
        `select count(*)::int as pending from campaign_recipients
         where store_id = $1 and status in ('pending', 'sending')`,
        [id],
      );
      expect(pending).toBe(0);
      const [entry] = await query(
        'select command, target, details from operator_log order by at desc limit 1',
      );
      expect(entry).toMatchObject({
        command: 'restore',
        target: `store:${id}`,
        details: { asNewBeside: first },
      });
      // It works: its numbers go on.
      const app = await TestApp.start({ database: made.source, encryptionKeys: [key] });
      try {
        const principal = await app.nest.get(Stores).operator(id);
        const [variant] = await query(
          `select 'tee' as "productId", id as "variantId" from variants where store_id = $1`,
          [id],
        );
        const placed = await app.nest
          .get(StoreDatabase)
          .inStore(principal, (ctx) =>
            app.nest
              .get(OrderPlacing)
              .place(
                ctx,
                { id: '77' },
                { paymentMethod: 'cash', items: [{ ...variant, quantity: 1 }] } as never,
                false,
              ),
          );
        const order = JSON.parse(placed.json.text);
        // The new store goes on from the counter of the first one.
        const [{ last }] = await query('select last::text from order_counters where store_id = $1', [
          made.full.id,
        ]);
        expect(order.id).toBe(Number(last) + 1);
      } finally {
        await app.stop();
      }
      expect((await prepareDatabase(made.source.ownerUrl, [key], MIGRATIONS)).repaired).toEqual([]);
    },
  );

  it('has the members that the first store has now', async () => {
    const [someone] = await query<{ id: string }>(
      `insert into users (id, email, email_key, password_hash, created_at)
       values ($1, 'new@test.example', 'new@test.example', 'none', now())
       returning id`,
      [ordinal(3)],
    );
    await query(
      `insert into store_members (store_id, user_id, role, created_at) values ($1, $2, 'staff', now())`,
      [made.full.id, someone.id],
    );
    const members = 'select user_id, role from store_members where store_id = $1 order by user_id';
    const now = await query(members, [made.full.id]);
    expect(now).toHaveLength(2);
    const { output } = await restore('--as-new', '--from', made.single);
    expect(await query(members, [output.id])).toEqual(now);
  });

  it('is refused without its first store, and changes nothing', async () => {
    const before = await query('select id from stores order by id');
    const refused = async (...args: string[]) => (await restore('--as-new', ...args)).output.error.message;
    expect(await refused('--from', made.whole)).toMatch(/^store must say which/);
    for (const id of [ordinal(9), 'nope'])
      expect(await refused('--from', made.whole, '--store', id)).toContain('is not in this installation');
    const [{ other }] = await query("select id as other from stores where name = 'Other shop'");
    expect(await refused('--from', made.single, '--store', other as string)).toBe(
      `from holds no store ${other as string}`,
    );
    expect(await query('select id from stores order by id')).toEqual(before);
  });
});

/** Tables whose rows are not simply those of the first store. */
const CHANGED = ['campaigns', 'campaign_recipients', 'checkout_configurations', 'stores'];
