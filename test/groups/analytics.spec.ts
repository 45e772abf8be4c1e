import fc from 'fast-check';
import pg from 'pg';
import { Visits } from '../../src/groups/analytics/visits.service.js';
import { FirstContact } from '../../src/groups/customers/first-contact.service.js';
import { SalesFolding } from '../../src/stores/sales-folding.service.js';
import { EARNING_STATUSES, ORDER_STATUSES } from '../../src/groups/order-status.js';
import { ownDatabase } from '../support/database/own-database.js';
import { waitsForLock } from '../support/database/waits-for-lock.js';
import { TestClock, type TestStore, useShop } from '../support/test-app.js';
import { SEED } from '../support/slow.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NO_ORDERS = { PENDING: 0, PROCESSING: 0, SHIPPED: 0, DELIVERED: 0, CANCELLED: 0 };

const clock = new TestClock();
// Of its own: folding looks at the sales of every store.
const app = useShop(async () => ({ clock, database: await ownDatabase() }));
beforeEach(() => clock.set(new Date('2026-06-15T10:30:00.250Z')));

/** A product with the title the tests expect. */
const product = (store: TestStore, productId: string, price = '10') => store.product({ productId, price });
const buy = (store: TestStore, productId: string, paid = true, quantity = 1) =>
  store.place({ items: [{ productId, quantity }] }, { id: '1001' }, paid);
const visit = (store: TestStore, id: string) =>
  store.inside(async (ctx) => {
    await app.nest.get(FirstContact).touch(ctx, { id });
    await app.nest.get(Visits).record(ctx, id);
  });
const counts = async (store: TestStore, period = '7d') =>
  (await store.data('get_analytics', { period })).orderCount;
const fold = () => app.nest.get(SalesFolding).fold();
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

describe('get_analytics', () => {
  it('counts as revenue what the database does', async () => {
    const earning = await app.query<{ status: string }>(
      'select status from unnest($1::text[]) as status where earns(status)',
      [ORDER_STATUSES],
    );
    expect(earning.map(({ status }) => status)).toEqual(EARNING_STATUSES);
  });

  it('answers an empty store with the whole shape', async () => {
    const store = await app.store({ currency: 'EUR' });
    const { status, body } = await store.call('get_analytics', {}, { scope: 'read' });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      period: '7d',
      from: '2026-06-08T10:30:00.250Z',
      to: '2026-06-15T10:30:00.250Z',
      currency: 'EUR',
      revenue: 0,
      averageOrderValue: 0,
      orderCount: 0,
      statusCounts: NO_ORDERS,
      uniqueVisitors: 0,
      topProducts: [],
      daily: ['08', '09', '10', '11', '12', '13', '14', '15'].map((day) => ({
        date: `2026-06-${day}`,
        revenue: 0,
        orderCount: 0,
        visitors: 0,
      })),
    });
  });

  it.each([
    ['7d', 7],
    ['30d', 30],
    ['90d', 90],
  ])('%s starts exactly %d days before now and lists every UTC day it touches', async (period, days) => {
    const store = await app.store();
    const data = await store.data('get_analytics', { period });
    expect(data.period).toBe(period);
    expect(Date.parse(data.to) - Date.parse(data.from)).toBe(days * DAY);
    expect(data.daily).toHaveLength(days + 1);
    expect(data.daily[0].date).toBe(data.from.slice(0, 10));
    expect(data.daily[days].date).toBe(data.to.slice(0, 10));
  });

  it.each(['1d', '7D', '', 7, true, null, ['7d']])('refuses the period %j', async (period) => {
    const store = await app.store();
    const { status, body } = await store.call('get_analytics', { period });
    expect(status).toBe(400);
    expect(body.error).toEqual({
      code: 'invalid_input',
      message: expect.stringMatching(/^period must be one of 7d, 30d, 90d/),
    });
  });

  it('refuses unknown properties', async () => {
    const store = await app.store();
    const { status, body } = await store.call('get_analytics', { days: 7 });
    expect(status).toBe(400);
    expect(body.error!.message).toMatch(/^days is not a known property/);
  });

  it('counts every order, and the money of those that are paid', async () => {
    const store = await app.store();
    const { productId } = await product(store, 'tea', '3.35');
    const orders = [];
    for (let i = 0; i < 5; i++) orders.push(await buy(store, productId, false, i + 1));
    for (const [i, status] of ORDER_STATUSES.entries()) {
      await store.data('set_order_status', { orderId: orders[i].id, status });
    }
    const data = await store.data('get_analytics');
    expect(data.orderCount).toBe(5);
    expect(data.statusCounts).toEqual({ PENDING: 1, PROCESSING: 1, SHIPPED: 1, DELIVERED: 1, CANCELLED: 1 });
    expect(data.revenue).toBe(335 * (2 + 3 + 4));
    expect(data.topProducts).toEqual([{ productId, title: 'tea', quantity: 9, revenue: 335 * 9 }]);
    expect(data.daily[7]).toEqual({ date: '2026-06-15', revenue: 335 * 9, orderCount: 5, visitors: 0 });
  });

  it('rounds the average down to a minor unit', async () => {
    const store = await app.store();
    await product(store, 'a', '0.50');
    await product(store, 'b', '0.51');
    for (const productId of ['a', 'b', 'b']) await buy(store, productId);
    await buy(store, 'a', false);
    expect(await store.data('get_analytics')).toMatchObject({ revenue: 152, averageOrderValue: 50 });
  });

  it('includes both ends of the window and nothing beyond', async () => {
    const store = await app.store();
    await product(store, 'tea');
    await buy(store, 'tea');
    expect(await counts(store)).toBe(1);
    clock.advance(7 * DAY);
    expect(await counts(store)).toBe(1);
    clock.advance(1);
    expect(await counts(store)).toBe(0);
    expect(await counts(store, '30d')).toBe(1);
    clock.advance(-7 * DAY - 2);
    expect(await counts(store, '90d')).toBe(0);
  });

  it('puts an order on its UTC day, to the millisecond', async () => {
    const store = await app.store();
    await product(store, 'tea');
    for (const time of ['2026-06-13T23:59:59.999Z', '2026-06-14T00:00:00.000Z', '2026-06-14T23:59:59.999Z']) {
      clock.set(new Date(time));
      await buy(store, 'tea');
    }
    clock.set(new Date('2026-06-15T00:00:00.000Z'));
    const { daily } = await store.data('get_analytics');
    expect(daily.slice(5).map(({ date, orderCount }: any) => [date, orderCount])).toEqual([
      ['2026-06-13', 1],
      ['2026-06-14', 2],
      ['2026-06-15', 0],
    ]);
  });

  it('leaves out a deleted order, whatever its status, on whole days and at the edges', async () => {
    const store = await app.store();
    await product(store, 'tea');
    const orders = [];
    for (const days of [0, 3, 4]) {
      clock.advance(days * DAY);
      orders.push(await buy(store, 'tea'), await buy(store, 'tea', false));
    }
    expect(await store.data('get_analytics')).toMatchObject({ orderCount: 6, revenue: 3000 });
    for (const { id } of orders) await store.data('delete_order', { orderId: id, confirm: true });
    expect(await store.data('get_analytics')).toMatchObject({
      revenue: 0,
      statusCounts: NO_ORDERS,
      topProducts: [],
    });
  });

  it('lists ten products by revenue, then by id, with the titles they have now', async () => {
    const store = await app.store();
    for (const n of ['09', '02', '11', '04', '05', '06', '07', '08', '01', '10', '03'])
      await product(store, `p${n}`);
    await product(store, 'best', '11');
    for (const n of ['11', '10', '09', '08', '07', '06', '05', '04', '03', '02', '01'])
      await buy(store, `p${n}`);
    await buy(store, 'best');
    clock.advance(2 * DAY);
    await app.query(`update products set title = 'Renamed' where store_id = $1 and product_id = 'p03'`, [
      store.id,
    ]);
    await app.query(`delete from products where store_id = $1 and product_id = 'best'`, [store.id]);
    const { topProducts } = await store.data('get_analytics');
    expect(topProducts.map(({ productId }: any) => productId)).toEqual([
      'best',
      'p01',
      'p02',
      'p03',
      'p04',
      'p05',
      'p06',
      'p07',
      'p08',
      'p09',
    ]);
    expect(topProducts[0]).toEqual({ productId: 'best', title: 'best', quantity: 1, revenue: 1100 });
    expect(topProducts[3].title).toBe('Renamed');
  });

  it('counts a shopper once a day and once a window', async () => {
    const store = await app.store();
    const big = '9223372036854775807';
    await visit(store, '7');
    clock.advance(20 * DAY);
    for (const id of ['7', big, '7', big]) await visit(store, id);
    clock.advance(DAY);
    for (const id of ['7', '8']) await visit(store, id);
    const week = await store.data('get_analytics');
    expect(week.uniqueVisitors).toBe(3);
    expect(week.daily.slice(6).map(({ visitors }: any) => visitors)).toEqual([2, 2]);
    expect((await store.data('get_analytics', { period: '30d' })).uniqueVisitors).toBe(3);
    clock.advance(7 * DAY);
    expect((await store.data('get_analytics')).uniqueVisitors).toBe(2);
    clock.advance(DAY);
    expect((await store.data('get_analytics')).uniqueVisitors).toBe(0);
  });

  it('counts a visit that is recorded late, by a clock that is behind', async () => {
    const store = await app.store();
    await visit(store, '7');
    clock.advance(-DAY);
    await visit(store, '7');
    clock.advance(DAY);
    expect((await store.data('get_analytics')).uniqueVisitors).toBe(1);
    clock.advance(7 * DAY);
    expect((await store.data('get_analytics')).uniqueVisitors).toBe(1);
  });

  it('leaves out other stores', async () => {
    const [store, other] = [await app.store(), await app.store()];
    await product(store, 'tea');
    await buy(store, 'tea');
    await visit(store, '7');
    expect(await other.data('get_analytics')).toMatchObject({
      orderCount: 0,
      revenue: 0,
      uniqueVisitors: 0,
      topProducts: [],
    });
  });
});

type Model = { orders: Map<number, any>; visits: Set<string> };

/** What get_analytics must say, worked out from the orders one by one. */
function expected({ orders, visits }: Model, days: number) {
  const to = clock.now();
  const from = new Date(to.getTime() - days * DAY);
  const within = [...orders.values()].filter(
    ({ createdAt }) => createdAt >= from.toISOString() && createdAt <= to.toISOString(),
  );
  const earning = within.filter(({ status }) => EARNING_STATUSES.includes(status));
  const sum = (list: any[]) => list.reduce((all, { totalPrice }) => all + totalPrice, 0);
  const products = new Map<string, any>();
  for (const { productId, title, quantity, price } of earning.flatMap(({ items }) => items)) {
    const known = products.get(productId) ?? { productId, title, quantity: 0, revenue: 0 };
    products.set(productId, {
      ...known,
      quantity: known.quantity + quantity,
      revenue: known.revenue + quantity * price,
    });
  }
  const dates = Array.from({ length: days + 1 }, (_, i) => dayOf(new Date(from.getTime() + i * DAY)));
  const seen = [...visits].map((entry) => entry.split(' ')).filter(([, day]) => dates.includes(day));
  return {
    revenue: sum(earning),
    averageOrderValue: earning.length === 0 ? 0 : Math.floor(sum(earning) / earning.length),
    orderCount: within.length,
    statusCounts: Object.fromEntries(
      ORDER_STATUSES.map((s) => [s, within.filter(({ status }) => status === s).length]),
    ),
    uniqueVisitors: new Set(seen.map(([shopper]) => shopper)).size,
    topProducts: [...products.values()]
      .sort((a, b) => b.revenue - a.revenue || (a.productId < b.productId ? -1 : 1))
      .slice(0, 10),
    daily: dates.map((date) => ({
      date,
      revenue: sum(earning.filter(({ createdAt }) => createdAt.startsWith(date))),
      orderCount: within.filter(({ createdAt }) => createdAt.startsWith(date)).length,
      visitors: seen.filter(([, day]) => day === date).length,
    })),
  };
}

/** Days of order_days and product_days that differ from what the orders themselves come to. */
async function differences(store: TestStore): Promise<unknown[]> {
  return app.query(
    `with told as (
       select day, '' as product, sum(pending + processing + shipped + delivered + cancelled) as orders,
         sum(processing) as processing,
         sum(revenue) as revenue from order_days where store_id = $1 group by day
       union all select day, product_id, sum(quantity), 0, sum(revenue) from product_days where store_id = $1
       group by day, product_id
     ), sums as (
       select sales_day(created_at) as day, '' as product, count(*) as orders,
         count(*) filter (where status = 'PROCESSING') as processing,
         sum(earned(status, total_price)) as revenue from orders where store_id = $1 group by 1
       union all select sales_day(o.created_at), i.product_id, sum(i.quantity), 0, sum(i.price * i.quantity)
       from orders o
         join order_items i on i.store_id = o.store_id and i.order_id = o.id where o.store_id = $1
         and earns(o.status) group by 1, 2
     ) select coalesce(t.day, r.day) as day, coalesce(t.product, r.product) as product, t.orders as told,
     r.orders as there
     from told t full join sums r on r.day = t.day and r.product = t.product
     where (coalesce(t.orders, 0), coalesce(t.processing, 0), coalesce(t.revenue, 0)) <>
       (coalesce(r.orders, 0), coalesce(r.processing, 0), coalesce(r.revenue, 0))`,
    [store.id],
  );
}

/** How many entries each day has, in both tables. */
const entries = (store: TestStore) =>
  app.query<{ orders: number; products: number }>(
    `select count(*) filter (where o)::int as orders, count(*) filter (where not o)::int as products
     from (select day, true as o from order_days where store_id = $1
       union all select day, false from product_days where store_id = $1) e group by day order by day`,
    [store.id],
  );

describe('the days of sales', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('place'),
      products: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 3 }),
      quantity: fc.integer({ min: 1, max: 5 }),
      paid: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('status'), order: fc.nat(), status: fc.constantFrom(...ORDER_STATUSES) }),
    fc.record({ kind: fc.constant('delete'), order: fc.nat() }),
    fc.record({ kind: fc.constant('fold') }),
    fc.record({ kind: fc.constant('visit'), shopper: fc.integer({ min: 1, max: 4 }) }),
    fc.record({
      kind: fc.constant('wait'),
      ms: fc.oneof(
        fc.constantFrom(1, DAY - 1, DAY, 7 * DAY, 30 * DAY, 90 * DAY),
        fc.integer({ min: 0, max: 3 * DAY }),
      ),
    }),
  );

  async function apply(store: TestStore, model: Model, it: any): Promise<void> {
    const order = [...model.orders.values()][it.order % Math.max(1, model.orders.size)];
    if (it.kind === 'place') {
      const items = it.products.map((n: number) => ({ productId: `p${n}`, quantity: it.quantity + n }));
      const placed = await store.place({ items }, { id: '1001' }, it.paid);
      model.orders.set(placed.id, placed);
    } else if (it.kind === 'visit') {
      await visit(store, String(it.shopper));
      model.visits.add(`${it.shopper} ${dayOf(clock.now())}`);
    } else if (it.kind === 'wait') {
      clock.advance(it.ms);
    } else if (it.kind === 'fold') {
      await fold();
    } else if (order && it.kind === 'status') {
      model.orders.set(
        order.id,
        (await store.data('set_order_status', { orderId: order.id, status: it.status })).order,
      );
    } else if (order) {
      await store.data('delete_order', { orderId: order.id, confirm: true });
      model.orders.delete(order.id);
    }
  }

  it('add up to the orders, after any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const store = await app.store();
        for (let n = 0; n < 12; n++) await product(store, `p${n}`, `${1 + (n % 4)}.25`);
        const model: Model = { orders: new Map(), visits: new Set() };
        for (const it of steps) await apply(store, model, it);
        for (const days of [7, 30, 90]) {
          expect(await store.data('get_analytics', { period: `${days}d` })).toMatchObject(
            expected(model, days),
          );
        }
        expect(await differences(store)).toEqual([]);
      }),
      { numRuns: 15, seed: SEED },
    );
  });

  it('stay right while many change and delete the same orders', async () => {
    const store = await app.store();
    await product(store, 'tea');
    const ids: number[] = [];
    for (let i = 0; i < 6; i++) ids.push((await buy(store, 'tea', i % 2 === 0)).id);
    await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        store.call('set_order_status', { orderId: ids[i % ids.length], status: ORDER_STATUSES[(i * 7) % 5] }),
      ).concat(ids.slice(0, 3).map((orderId) => store.call('delete_order', { orderId, confirm: true }))),
    );
    expect(await differences(store)).toEqual([]);
    expect(await counts(store)).toBe(3);
  });

  it('gain each entry once, while orders change and several processes fold', async () => {
    const store = await app.store();
    await product(store, 'tea');
    const orders = await Promise.all(Array.from({ length: 4 }, () => buy(store, 'tea')));
    clock.advance(DAY);
    const changes = orders.map(({ id }) =>
      app.query(
        `do $$ begin for i in 1..400 loop
           update orders set status = case when i % 2 = 0 then 'PROCESSING' else 'CANCELLED' end
             where id = ${Number(id)};
           commit;
         end loop; end $$`,
      ),
    );
    let changing = true;
    const folding = async () => {
      while (changing) await fold();
    };
    await Promise.all([Promise.all(changes).finally(() => (changing = false)), folding(), folding()]);
    expect(await differences(store)).toEqual([]);
    await fold();
    expect(await entries(store)).toEqual([{ orders: 1, products: 1 }]);
    expect(await differences(store)).toEqual([]);
    expect(await store.data('get_analytics')).toMatchObject({
      orderCount: 4,
      revenue: 4000,
      topProducts: [{ quantity: 4, revenue: 4000 }],
    });
  });

  it('are folded when they are over, and the present one when it has many entries', async () => {
    const store = await app.store();
    await product(store, 'tea');
    await product(store, 'cup');
    const yesterday = await buy(store, 'tea', true, 2);
    await buy(store, 'tea');
    await buy(store, 'cup');
    clock.advance(DAY);
    const { id } = await buy(store, 'tea');
    await fold();
    expect(await entries(store)).toEqual([
      { orders: 1, products: 2 },
      { orders: 1, products: 1 },
    ]);
    await app.query(
      `do $$ begin for i in 1..250 loop
         update orders set status = case when i % 2 = 0 then 'PROCESSING' else 'CANCELLED' end
           where id = ${Number(id)};
       end loop; end $$`,
    );
    expect((await entries(store))[1].orders).toBeGreaterThan(200);
    await store.data('set_order_status', { orderId: yesterday.id, status: 'CANCELLED' });
    expect((await entries(store))[0]).toEqual({ orders: 2, products: 3 });
    await fold();
    expect(await entries(store)).toEqual([
      { orders: 1, products: 2 },
      { orders: 1, products: 1 },
    ]);
    expect(await differences(store)).toEqual([]);
  });

  it('leave out what was sold before and after the window', async () => {
    const store = await app.store();
    await product(store, 'tea');
    for (let day = 0; day < 40; day++, clock.advance(DAY)) await buy(store, 'tea');
    const top = async (period: string) => (await store.data('get_analytics', { period })).topProducts;
    for (const isFolded of [false, true]) {
      if (isFolded) await fold();
      for (let back = 1; back <= 28; back += 3) {
        clock.advance(-3 * DAY);
        expect([back, (await top('7d'))[0].quantity, (await top('30d'))[0].quantity]).toEqual([
          back,
          8,
          Math.min(31, 39 - back),
        ]);
      }
      clock.advance(30 * DAY);
    }
  });

  it('are right whatever statement writes orders and lines', async () => {
    const store = await app.store();
    await product(store, 'tea');
    await product(store, 'cup');
    const order = await buy(store, 'tea');
    const line = [store.id, order.id];
    for (const change of [
      `update order_items set quantity = 5, product_id = 'cup' where store_id = $1 and order_id = $2`,
      `insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
        values ($1, $2, 9, 'tea', 'Tea', 2, 100)`,
      `update orders set created_at = created_at - interval '3 days', total_price = 7 where store_id = $1
        and id = $2`,
      `update orders set created_at = created_at - interval '1 day', status = 'PENDING' where store_id = $1
        and id = $2`,
      `update orders set created_at = created_at + interval '2 days', status = 'DELIVERED' where store_id = $1
        and id = $2`,
      `delete from order_items where store_id = $1 and order_id = $2 and position = 9`,
      `delete from orders where store_id = $1 and id = $2`,
    ]) {
      await app.query(change, line);
      expect([change, await differences(store)]).toEqual([change, []]);
    }
  });

  it('wait for a line whose order is just changing', async () => {
    const store = await app.store();
    await product(store, 'tea');
    const { id } = await buy(store, 'tea', false);
    const change = new pg.Client({ connectionString: app.database.ownerUrl });
    await change.connect();
    await change.query('begin');
    await change.query(`update orders set status = 'PROCESSING' where id = $1`, [id]);
    const line = app.query(
      `insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
        values ($1, $2, 5, 'tea', 'Tea', 2, 100)`,
      [store.id, id],
    );
    await waitsForLock(change);
    await change.query('commit').finally(() => change.end());
    await line;
    expect(await differences(store)).toEqual([]);
    expect((await store.data('get_analytics')).topProducts[0]).toMatchObject({ quantity: 3, revenue: 1200 });
  });

  it('are deleted with their store', async () => {
    const store = await app.store();
    await product(store, 'tea');
    await buy(store, 'tea');
    await visit(store, '7');
    clock.advance(DAY);
    await fold();
    await app.query('delete from stores where id = $1', [store.id]);
    for (const table of ['orders', 'order_days', 'product_days', 'visits']) {
      expect([table, await app.query(`select * from ${table} where store_id = $1`, [store.id])]).toEqual([
        table,
        [],
      ]);
    }
  });
});
