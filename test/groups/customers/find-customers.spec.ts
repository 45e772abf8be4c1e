import { eraseCustomer } from '../../../src/groups/customers/erasing/erase-customer.js';
import { TestClock, type TestStore, useShop } from '../../support/test-app.js';

type Found = Record<string, any>;

const DAY = 86_400_000;
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'].map(
  (day) => `${day}T10:00:00.000Z`,
);

describe('find_customers', () => {
  const clock = new TestClock(new Date(DAYS[0]));
  let store: TestStore;
  let drinks: { id: string };
  let mugs: { id: string };
  const products: Record<string, Found> = {};
  const orders: Record<string, Found> = {};

  const find = (input: object, of = store) => of.data('find_customers', input, { scope: 'read' });
  const ids = async (input: object, of = store): Promise<string[]> =>
    (await find(input, of)).items.map(({ id }: Found) => id);

  const product = (productId: string, price: number, categoryId?: string) =>
    store.data('create_product', {
      ...{ productId, title: productId, description: '', images: ['https://images.example/a.png'], price },
      ...(categoryId ? { categoryId } : {}),
    });
  const place = async (name: string, shopper: Found & { id: string }, of: string, more = {}, paid = true) => {
    const items = [{ productId: products[of].productId, quantity: 1 }];
    orders[name] = await store.place({ items, ...more }, shopper, paid);
    clock.advance(DAY);
  };

  const OLENA = { id: '11', firstName: 'Olena', lastName: 'Kovalenko', username: 'olena_k' };
  const IVAN = { id: '9007199254740993', firstName: 'Іван', username: 'ivan' };
  const WANG = { id: '33', firstName: '王伟' };
  const KIM = { id: '44', firstName: 'Kim', lastName: 'Olenich' };

  const app = useShop({ clock });
  beforeAll(async () => {
    await app.stopJobs();
    store = await app.store();
    drinks = await store.data('create_category', { name: 'Drinks', slug: 'drinks' });
    mugs = await store.data('create_category', { name: 'Mugs', slug: 'mugs', parentId: drinks.id });
    products.tea = await product('tea', 10, drinks.id);
    products.mug = await product('mug', 25, mugs.id);
    products.cap = await product('cap', 40);
    const checkoutData = [
      { id: 'tel', label: 'Phone', type: 'phone', value: '+380 (67) 123-45-67' },
      { id: 'note', label: 'Note', type: 'text', value: '5559876' },
    ];
    await place('a', OLENA, 'tea', { checkoutData });
    await place('b', IVAN, 'mug', { shippingAddress: { name: 'Ivan', phone_number: '0501112233' } }, false);
    await place('c', OLENA, 'cap', { shippingAddress: { phone_number: '+15550123' } });
    await place('d', WANG, 'mug');
    await place('e', KIM, 'cap');
    await store.data('set_order_status', { orderId: orders.e.id, status: 'CANCELLED' });
    await store.data('update_customer', { id: WANG.id, isBanned: true });
    await store.data('update_customer', { id: KIM.id, isBotBlocked: true });
  });

  it('returns compact rows with a total', async () => {
    await store.data('adjust_bonus', { customerId: OLENA.id, delta: 2.5 });
    expect(await find({ text: 'olena_k' })).toEqual({
      items: [
        {
          ...{ id: '11', name: 'Olena Kovalenko', username: 'olena_k', phone: '+15550123' },
          ...{ orderCount: 2, totalSpent: 5000, bonusBalance: 2.5, lastOrderAt: DAYS[2] },
          ...{ externalId: null, isBotBlocked: false, isBanned: false },
        },
      ],
      nextCursor: null,
      total: 1,
    });
    expect((await find({ text: 'olenich' })).items).toMatchObject([
      { name: 'Kim Olenich', username: null, phone: null, orderCount: 0, totalSpent: 0, lastOrderAt: null },
    ]);
  });

  const FILTERS: [object, string[]][] = [
    [{}, [KIM.id, WANG.id, IVAN.id, OLENA.id]],
    [{ sort: 'oldest' }, [OLENA.id, IVAN.id, WANG.id, KIM.id]],
    [{ text: 'OLEN' }, [KIM.id, OLENA.id]],
    [{ text: 'kovalenko olena' }, [OLENA.id]],
    [{ text: '@olena' }, [OLENA.id]],
    [{ text: '伟' }, [WANG.id]],
    [{ text: 'nobody' }, []],
    [{ text: '+380671234567' }, [OLENA.id]],
    [{ text: '067 123 45 67' }, [OLENA.id]],
    [{ text: '4567' }, [OLENA.id]],
    [{ text: '567' }, []],
    [{ text: '123456' }, []],
    [{ text: '+38 050 111-22-33' }, [IVAN.id]],
    [{ text: '0501112233', minOrders: 2 }, []],
    [{ text: '5559876' }, []],
    [{ minOrders: 1 }, [WANG.id, IVAN.id, OLENA.id]],
    [{ minOrders: 2 }, [OLENA.id]],
    [{ maxOrders: 0 }, [KIM.id]],
    [{ minOrders: 1, maxOrders: 1 }, [WANG.id, IVAN.id]],
    [{ minSpent: 1 }, [WANG.id, OLENA.id]],
    [{ minSpent: 2501 }, [OLENA.id]],
    [{ boughtProductId: 'cap' }, [OLENA.id]],
    [{ boughtProductId: 'mug', minSpent: 1 }, [WANG.id]],
    [{ boughtProductId: 'tea', boughtCategoryId: 'mugs' }, []],
    [{ boughtCategoryId: 'mugs' }, [WANG.id, IVAN.id]],
    [{ boughtCategoryId: 'drinks' }, [WANG.id, IVAN.id, OLENA.id]],
    [{ lastOrderFrom: DAYS[2] }, [WANG.id, OLENA.id]],
    [{ lastOrderTo: DAYS[2] }, [IVAN.id, OLENA.id]],
    [{ lastOrderFrom: DAYS[2], lastOrderTo: DAYS[2] }, [OLENA.id]],
    [{ isBanned: true }, [WANG.id]],
    [{ isBotBlocked: true }, [KIM.id]],
    [{ isBotBlocked: true, isBanned: true }, []],
    [{ isBanned: false, isBotBlocked: false, minOrders: 1 }, [IVAN.id, OLENA.id]],
    [{ sort: 'most_spent', minOrders: 1 }, [OLENA.id, WANG.id, IVAN.id]],
    [{ sort: 'recently_ordered', minOrders: 1 }, [WANG.id, OLENA.id, IVAN.id]],
    [{ sort: 'oldest', minOrders: 1, maxOrders: 1 }, [IVAN.id, WANG.id]],
  ];
  const given = (input: Found) =>
    input.boughtCategoryId === undefined
      ? input
      : { ...input, boughtCategoryId: input.boughtCategoryId === 'mugs' ? mugs.id : drinks.id };

  it.each(FILTERS)('finds by %j', async (input, found) => {
    const { items, total } = await find(given(input));
    expect([items.map(({ id }: Found) => id), total]).toEqual([found, found.length]);
  });

  it('finds those created or changed since a time', async () => {
    expect(await ids({ createdFrom: DAYS[3] })).toEqual([KIM.id, WANG.id]);
    const { updatedAt } = await store.data('get_customer', { id: KIM.id });
    expect(await ids({ updatedFrom: updatedAt })).toContain(KIM.id);
    expect(await ids({ updatedFrom: '2100-01-01T00:00:00Z' })).toEqual([]);
  });

  it.each(['newest', 'oldest', 'most_spent', 'recently_ordered'])(
    'pages by %s with the same total on each',
    async (sort) => {
      const all = await ids({ sort });
      expect(all).toHaveLength(4);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await find({ sort, take: 1, cursor });
        expect(page.total).toBe(4);
        seen.push(...page.items.map(({ id }: Found) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(all);
    },
  );

  it.each<[object, number, string]>([
    [{ boughtProductId: 'none' }, 404, 'Product none'],
    [{ boughtCategoryId: 'none' }, 400, 'boughtCategoryId is not a category'],
    [{ minOrders: -1 }, 400, 'minOrders must be'],
    [{ minSpent: 1.5 }, 400, 'minSpent must be'],
    [{ lastOrderTo: 'yesterday' }, 400, 'lastOrderTo must be'],
    [{ sort: 'richest' }, 400, 'sort must be'],
    [{ text: '' }, 400, 'text must be'],
    [{ cursor: 'bm9uZQ' }, 400, 'cursor is not one'],
  ])('refuses %j', async (input, status, message) => {
    const answer = await store.call('find_customers', input);
    expect([answer.status, answer.body.error!.message]).toEqual([status, expect.stringContaining(message)]);
  });

  it('does not take the cursor of another order', async () => {
    const { nextCursor } = await find({ take: 1, sort: 'newest' });
    expect((await store.call('find_customers', { cursor: nextCursor, sort: 'oldest' })).status).toBe(400);
  });

  it('knows nothing of another store', async () => {
    const other = await app.store();
    expect(await find({ text: '+380671234567' }, other)).toEqual({ items: [], nextCursor: null, total: 0 });
    expect((await find({}, other)).total).toBe(0);
    expect((await other.call('find_customers', { boughtCategoryId: mugs.id })).status).toBe(400);
  });

  it('finds no phone number that was erased or went with its order', async () => {
    const shop = await app.store();
    const { productId } = await shop.product();
    const buy = (id: string, phone_number: string) =>
      shop.place({ items: [{ productId, quantity: 1 }], shippingAddress: { phone_number } }, { id });
    await buy('1', '0671112233');
    const { id: orderId } = await buy('2', '0671112244');
    expect([await ids({ text: '0671112233' }, shop), await ids({ text: '0671112244' }, shop)]).toEqual([
      ['1'],
      ['2'],
    ]);
    await shop.inside((ctx) => eraseCustomer(ctx, '1'));
    await shop.data('delete_order', { orderId, confirm: true });
    for (const text of ['0671112233', '0671112244']) expect(await ids({ text }, shop)).toEqual([]);
    expect((await find({}, shop)).items.map(({ phone }: Found) => phone)).toEqual([null, null]);
  });

  describe('in a store of ten thousand others', () => {
    beforeAll(async () => {
      await app.query(
        `insert into customers (store_id, id, first_name, created_at, updated_at)
         select $1, 1000000 + n, 'Crowd', '2027-01-01', '2027-01-01'
         from generate_series(1, 10001) n`,
        [store.id],
      );
      await store.index();
    });

    it.each(
      FILTERS.filter(([input]) => Object.keys(input).some((name) => !['sort', 'maxOrders'].includes(name))),
    )('finds the same by %j', async (input, found) => {
      const { items, total } = await find(given(input));
      expect([items.map(({ id }: Found) => id), total]).toEqual([found, found.length]);
    });

    it('counts up to ten thousand exactly, and says where there are more', async () => {
      const totalOf = async (input: object) => {
        const { total, totalIsAtLeast } = await find({ ...input, take: 1 });
        return [total, totalIsAtLeast];
      };
      expect(await totalOf({})).toEqual([10_000, true]);
      expect(await totalOf({ text: 'crowd' })).toEqual([10_000, true]);
      expect(await totalOf({ maxOrders: 0 })).toEqual([10_000, true]);
      await app.query('delete from customers where store_id = $1 and id = 1000001', [store.id]);
      expect(await totalOf({ text: 'crowd' })).toEqual([10_000, undefined]);
    });
  });
});

describe('the figures of customers', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  /** What find_customers says, and what the orders come to. */
  const figures = async () => {
    const { items } = await store.data('find_customers', { sort: 'oldest', take: 100 });
    const told = items.map(({ id, orderCount, totalSpent, lastOrderAt }: Found) => ({
      ...{ id, orderCount, totalSpent, lastOrderAt },
    }));
    const counted = await app.query(
      `select c.id::text, count(o.id)::int as "orderCount",
         coalesce(sum(o.total_price) filter (where o.status <> 'PENDING'), 0)::float8 as "totalSpent",
         max(o.created_at) as "lastOrderAt"
       from customers c left join orders o on o.store_id = c.store_id and o.messenger_user_id = c.id
         and o.status <> 'CANCELLED'
       where c.store_id = $1 group by c.id, c.created_at order by c.created_at, c.id`,
      [store.id],
    );
    return [told, JSON.parse(JSON.stringify(counted))];
  };
  const expectFigures = async () => {
    const [told, counted] = await figures();
    expect(told).toEqual(counted);
  };

  it('follow every change of an order, and its undoing', async () => {
    const { productId } = await store.product();
    const buy = (id: string, quantity: number, paid: boolean) =>
      store.place({ items: [{ productId, quantity }] }, { id }, paid);
    const [first, second] = [await buy('1', 1, true), await buy('1', 2, false)];
    const third = await buy('2', 3, true);
    await expectFigures();
    for (const status of ['PROCESSING', 'SHIPPED', 'CANCELLED', 'DELIVERED', 'PENDING', 'CANCELLED']) {
      await store.data('set_order_status', { orderId: second.id, status });
      await expectFigures();
    }
    const { items } = await store.data('list_activity', { operation: 'set_order_status', take: 1 });
    await store.data('undo_change', { activityId: items[0].id });
    await expectFigures();
    await store.data('set_order_statuses', {
      orderIds: [first.id, second.id, third.id],
      status: 'CANCELLED',
    });
    await expectFigures();
    await store.data('set_order_statuses', { orderIds: [second.id, third.id], status: 'DELIVERED' });
    await store.data('delete_order', { orderId: second.id, confirm: true });
    await store.data('delete_order', { orderId: third.id, confirm: true });
    await expectFigures();
    await store.data('preview_change', {
      operation: 'set_order_status',
      input: { orderId: first.id, status: 'DELIVERED' },
    });
    await expectFigures();
  });

  it('are right after orders of one customer were placed, changed and deleted at once', async () => {
    const { productId } = await store.product();
    const buy = () => store.place({ items: [{ productId, quantity: 1 }] }, { id: '3' }, true);
    const placed = await Promise.all(Array.from({ length: 8 }, buy));
    await Promise.all([
      ...placed
        .slice(0, 5)
        .map(({ id }, i) =>
          store.data('set_order_status', { orderId: id, status: i % 2 ? 'CANCELLED' : 'PENDING' }),
        ),
      ...placed.slice(5).map(({ id }) => store.data('delete_order', { orderId: id, confirm: true })),
      ...Array.from({ length: 4 }, buy),
    ]);
    await expectFigures();
    expect((await store.data('get_customer', { id: '3' })).orderCount).toBe(7);
  });
});
