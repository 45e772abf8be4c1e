import { readFileSync } from 'node:fs';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { type DemoStore, seedDemo } from '../../src/operator/demo/seed-demo.js';
import { Browser, StorePage } from '../doors/dashboard/browser.js';
import { ownDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { dereferenced } from '../support/openapi.js';
import { type Answer, useShop } from '../support/test-app.js';

const DAY_MS = 86_400_000;

/**
 * What a newcomer finds: a shop that has sold for three months, with something on every page, and no figure
 * that contradicts another.
 */
describe('the demo store', () => {
  let demo: DemoStore;
  let page: StorePage;
  /** An order with notes and a shopper with bonus, for what is listed of one record. */
  let orderId: number;
  let customerId: string;

  const app = useShop(async () => ({ database: await ownDatabase() }));
  beforeAll(async () => {
    demo = await seedDemo(app.nest);
    page = new StorePage(await Browser.signedIn(app, demo.ownerEmail, demo.ownerPassword!), demo.store.id);
    const [note] = await query<{ order_id: string }>(
      `select n.order_id from order_notes n join payments p on p.order_id = n.order_id where n.store_id = $1
        limit 1`,
    );
    orderId = Number(note.order_id);
    const [entry] = await query<{ customer_id: string }>(
      'select customer_id from bonus_entries where store_id = $1 limit 1',
    );
    customerId = entry.customer_id;
    // All events are of one transaction, which the feed holds back while an older one is open on this server.
    await eventually('the feed has the events', async () => (await data('list_events')).items.length > 0);
  });

  const query = <Row extends Record<string, unknown>>(text: string) => app.query<Row>(text, [demo.store.id]);

  async function data(operation: string, input: object = {}): Promise<any> {
    // A token of scope read sees its own changes only, and makes none.
    const token = operation === 'list_activity' ? demo.tokens.admin : demo.tokens.read;
    const { body } = await app.post(`/v1/${operation}`, input, { Authorization: `Bearer ${token}` });
    if (!body.ok) throw new Error(`${operation} was refused: ${body.error!.message}`);
    return body.data;
  }

  async function all(operation: string, input: object = {}): Promise<any[]> {
    const items: any[] = [];
    let cursor: string | null = null;
    do {
      const answer = await data(operation, { ...input, take: 100, ...(cursor === null ? {} : { cursor }) });
      items.push(...answer.items);
      cursor = operation === 'list_events' && answer.items.length === 0 ? null : answer.nextCursor;
    } while (cursor !== null);
    return items;
  }

  it('has something in every list that an operation returns', async () => {
    const lists = app.nest
      .get(OperationRegistry)
      .list()
      .filter(({ name }) => /^(list|find)_/.test(name));
    expect(lists.length).toBeGreaterThan(12);
    const [product] = await query<{ product_id: string }>(
      'select product_id from variants where store_id = $1 limit 1',
    );
    const inputs: Record<string, object> = {
      list_variants: { productId: product.product_id },
      list_bonus_history: { customerId },
      list_order_notes: { orderId },
    };
    const empty: string[] = [];
    for (const { name } of lists) if ((await data(name, inputs[name])).items.length === 0) empty.push(name);
    expect(empty).toEqual([]);
  });

  it('has something in every list of the dashboard', async () => {
    const document = dereferenced(await (await fetch(`${app.url}/dashboard/openapi.json`)).json());
    const [delivery] = await query<{ id: string }>(
      'select id from webhook_deliveries where store_id = $1 limit 1',
    );
    const asked = Object.entries<any>(document.paths).filter(
      ([path, { get }]) =>
        path.includes('/stores/{storeId}/') &&
        // Changes of agents that wait for a person: the demo store has none.
        !path.endsWith('/approvals') &&
        get &&
        !get.parameters?.some((p: any) => p.in === 'query' && p.required),
    );
    const empty: string[] = [];
    let lists = 0;
    for (const [path] of asked) {
      const given = path
        .replace('{orderId}', String(orderId))
        .replace('{customerId}', customerId)
        .replace('{id}', delivery.id);
      const response = await page.browser.get(
        given.replace('/dashboard/api/', '').replace('{storeId}', demo.store.id),
      );
      const list = listIn(response);
      if (list) lists++;
      if (list?.length === 0) empty.push(path);
    }
    expect(lists).toBeGreaterThan(7);
    expect(empty).toEqual([]);
  });

  it('has orders in every status, on every day of three months, and analytics that agree', async () => {
    const orders = await all('list_orders');
    expect(orders).toHaveLength(demo.orders!);
    expect(orders.length).toBeGreaterThan(280);
    const { daily, orderCount, statusCounts, revenue, topProducts, uniqueVisitors } = await data(
      'get_analytics',
      {
        period: '90d',
      },
    );
    // The first day of the window is a part of one, and today may be young.
    for (const day of daily.slice(1, -1)) {
      expect([day.date, day.orderCount > 0, day.visitors > 0]).toEqual([day.date, true, true]);
    }
    for (const status of ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED']) {
      const counted = orders.filter((order) => order.status === status).length;
      expect([status, counted > 2, statusCounts[status]]).toEqual([status, true, counted]);
    }
    const earning = orders.filter(({ status }) => ['PROCESSING', 'SHIPPED', 'DELIVERED'].includes(status));
    expect([orderCount, revenue]).toEqual([
      orders.length,
      earning.reduce((sum, { totalPrice }) => sum + totalPrice, 0),
    ]);
    expect(topProducts).toHaveLength(10);
    expect(uniqueVisitors).toBeGreaterThan(30);
    expect(orders.filter(({ trackingNumber }) => trackingNumber !== null).length).toBeGreaterThan(100);
    expect(new Set(orders.map(({ paymentMethod }) => paymentMethod)).size).toBe(3);
  });

  it('has prices that add up, from the lines to the total', async () => {
    const wrong = await query(
      `select o.id from orders o where o.store_id = $1 and o.total_price <> (
         select sum(i.price * i.quantity) from order_items i where i.store_id = $1 and i.order_id = o.id
       ) + (o.pricing->>'adjustment')::bigint - coalesce((o.pricing->'promocode'->>'discount')::bigint,
       0) - (o.pricing->>'bonus')::bigint
         + coalesce(o.tip_amount, 0)`,
    );
    expect(wrong).toEqual([]);
    const used = await query(
      `select p.code from promocodes p where p.store_id = $1 and p.used_count <> (
         select count(*) from orders o where o.store_id = $1 and o.status <> 'CANCELLED'
           and o.pricing->'promocode'->>'id' = p.id::text)`,
    );
    expect(used).toEqual([]);
    const codes = await all('list_promocodes');
    expect(codes.some(({ maxUses, usedCount }) => maxUses !== null && usedCount === maxUses)).toBe(true);
    expect(codes.some(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) < Date.now())).toBe(
      true,
    );
    expect(codes.some(({ isActive }) => !isActive)).toBe(true);
  });

  it('has balances that are the sums of their ledgers, with entries of every kind', async () => {
    const customers = await all('list_customers');
    expect(customers).toHaveLength(40);
    for (const { id, bonusBalance } of customers) {
      const entries = await all('list_bonus_history', { customerId: id });
      const sum = entries.reduce((total, { delta }) => total + Math.round(delta * 100), 0) / 100;
      expect([id, bonusBalance]).toEqual([id, sum]);
      // The newest first: each balance is what the one before left, and the explanation tells it.
      entries.forEach(({ balance, delta, explanation }, i) => {
        const before = entries[i + 1]?.balance ?? 0;
        expect([explanation, Math.round(balance * 100)]).toEqual([
          explanation,
          Math.round(before * 100) + Math.round(delta * 100),
        ]);
      });
    }
    const kinds = await query<{ kind: string }>(
      'select distinct kind from bonus_entries where store_id = $1 order by kind',
    );
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'adjustment',
      'cashback',
      'cashback_reversal',
      'referral_join',
      'referral_order',
      'refund',
      'spend',
    ]);
    expect(customers.filter(({ isBanned }) => isBanned)).toHaveLength(1);
    expect(customers.filter(({ isBotBlocked }) => isBotBlocked)).toHaveLength(2);
  });

  it('has recorded every refund and payment that its history tells of', async () => {
    const refunds = await query<any>(
      `select input from audit_log where store_id = $1 and operation = 'refund_order' order by at`,
    );
    expect(refunds.length).toBeGreaterThan(0);
    for (const { input } of refunds) {
      expect(await data('get_order_pricing', { orderId: input.orderId })).toMatchObject({
        refunds: [{ amount: input.amount, reason: input.reason, by: expect.any(String) }],
        refunded: input.amount,
      });
    }
    const { total } = await data('get_sales_report', {
      ...{ from: new Date(Date.now() - 300 * DAY_MS).toISOString(), to: new Date().toISOString() },
      groupBy: 'month',
    });
    expect(total.refunded).toBe(refunds.reduce((sum, { input }) => sum + input.amount, 0));
    const paid = await query<any>(
      `select o.paid = p.amount as "isSame" from payments p join orders o on o.store_id = p.store_id
         and o.id = p.order_id where p.store_id = $1 and p.outcome = 'accepted'`,
    );
    expect(new Set(paid.map(({ isSame }) => isSame))).toEqual(new Set([true]));
  });

  it('has thirty products, among them low, sold out and hidden ones, in a tree of categories', async () => {
    const products = await all('list_products');
    expect(products).toHaveLength(30);
    const { items: low } = await data('find_products', { maxStock: 5, take: 100 });
    expect(low.length).toBeGreaterThan(5);
    expect(products.some(({ itemAmount }) => itemAmount === 0)).toBe(true);
    expect(products.some(({ isHidden }) => isHidden)).toBe(true);
    expect(products.some(({ salePrice }) => salePrice !== null)).toBe(true);
    const drawn = readFileSync('web/public/demo.svg', 'utf8');
    for (const { productId, images } of products) {
      expect(images).toEqual([expect.stringMatching(`/dashboard/demo.svg#${productId}$`)]);
      expect(drawn).toContain(`<view id="${productId}"`);
    }
    const categories = await all('list_categories');
    const parents = new Map(categories.map(({ id, parentId }) => [id, parentId]));
    expect(categories.some(({ parentId }) => parentId !== null && parents.get(parentId) !== null)).toBe(true);
  });

  it('has events and deliveries that match the orders; get_order returns the last event', async () => {
    const events = await all('list_events');
    expect(events.length).toBeGreaterThan(150);
    const latest = new Map(events.map(({ data }) => [data.id, data]));
    const orders = await all('list_orders');
    for (const order of orders.filter(({ createdAt }) => Date.parse(createdAt) > Date.now() - 20 * DAY_MS)) {
      expect(latest.get(order.id)).toEqual(order);
    }
    const statuses = await query<{ status: string; most: number; pending: number }>(
      `select d.status, max(d.failed_attempts) as most, count(d.next_attempt_at)::int as pending
       from webhook_deliveries d where d.store_id = $1 group by 1 order by 1`,
    );
    expect(statuses).toEqual([
      { status: 'delivered', most: expect.any(Number), pending: 0 },
      { status: 'failed', most: 6, pending: 0 },
    ]);
  });

  it('has an overview and finds orders, also by names in other scripts', async () => {
    const overview = await data('get_store_overview');
    expect(overview.counts).toMatchObject({ products: 30, customers: 40, orders: demo.orders });
    expect(overview.webhook).toMatchObject({ paused: false, pending: 0 });
    expect(overview.webhook.failed).toBeGreaterThan(0);
    for (const text of ['Шевченко', '山田', '@olena_k', 'Classic mug']) {
      expect([text, (await data('find_orders', { text })).items.length > 0]).toEqual([text, true]);
    }
    const { entries } = await data('get_order_timeline', { orderId });
    expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['placed', 'status', 'note', 'paid']),
    );
    const invoices = await all('list_invoices');
    expect(invoices.map(({ status }) => status)).toEqual(['open', 'paid', 'paid']);
    const contests = await all('list_contests');
    expect(new Set(contests.map(({ status }) => status))).toEqual(
      new Set(['DRAFT', 'ACTIVE', 'ENDED', 'CANCELLED']),
    );
  });

  it('shows its history in the audit log, in the order of time', async () => {
    const rows = await query<{ at: Date; operation: string }>(
      'select at, operation from audit_log where store_id = $1 order by id',
    );
    expect(rows.length).toBeGreaterThan(800);
    const times = rows.map(({ at }) => at.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[times.length - 1]).toBeLessThanOrEqual(Date.now());
    const operations = new Set(rows.map(({ operation }) => operation));
    for (const operation of [
      'create_product',
      'ship_order',
      'refund_order',
      'adjust_bonus',
      'send_campaign',
      'token.create',
    ])
      expect([operation, operations.has(operation)]).toEqual([operation, true]);
  });

  it('can be used as a shop: its orders change, and cancelling returns what was taken', async () => {
    const write = (operation: string, input: object) =>
      app.post(`/v1/${operation}`, input, { Authorization: `Bearer ${demo.tokens.admin}` });
    const [shipped] = (await data('list_orders', { status: 'PROCESSING', take: 1 })).items;
    expect((await write('ship_order', { orderId: shipped.id, carrier: 'DHL' })).body.ok).toBe(true);
    expect((await write('set_order_status', { orderId: shipped.id, status: 'DELIVERED' })).body.ok).toBe(
      true,
    );
    expect((await write('refund_order', { orderId: shipped.id })).body.ok).toBe(true);
    expect((await write('set_order_status', { orderId: shipped.id, status: 'PENDING' })).body.ok).toBe(true);
    const customer = await data('get_customer', { id: shipped.messengerUserId });
    const [{ sum }] = await app.query<{ sum: string }>(
      'select sum(delta) as sum from bonus_entries where store_id = $1 and customer_id = $2',
      [demo.store.id, shipped.messengerUserId],
    );
    expect(customer.bonusBalance).toBe(Number(sum ?? 0));
  });
});

/** The list an answer holds: a page's items, or the answer itself. */
function listIn({ status, body }: Answer): unknown[] | null {
  if (status !== 200) return null;
  const { data } = body;
  return Array.isArray(data) ? data : Array.isArray(data?.items) ? data.items : null;
}
