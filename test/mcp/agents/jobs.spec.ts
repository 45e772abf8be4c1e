import { JobsShop, STALE } from './jobs-shop.js';
import { own, ScriptedAgent } from './scripted-agent.js';

const MOST_CALLS = 6;
const MOST_TOKENS = 10_000;
/** For jobs that read more than a hundred records. */
const MANY_RECORDS = 100;
const MOST_TOKENS_OF_MANY = 20_000;
const DAY_MS = 24 * 3_600_000;

/**
 * What owners ask of an agent, done with what the service says alone: the list of tools, the instructions and
 * the answers. The outcome is looked up in the shop by other means.
 */
describe('a job of a shop owner', () => {
  let shop: JobsShop;
  let agent: ScriptedAgent;

  beforeAll(async () => void (shop = await JobsShop.open()));
  beforeEach(async () => void (agent = await ScriptedAgent.connect(shop.app, shop.store.tokens.write)));
  afterAll(() => shop.stop());
  afterEach(() => {
    const spent = agent.spent;
    const tokens = spent.records > MANY_RECORDS ? MOST_TOKENS_OF_MANY : MOST_TOKENS;
    expect({ ...spent, fits: spent.calls <= MOST_CALLS && spent.tokens <= tokens }).toEqual({
      ...spent,
      fits: true,
    });
  });
  const data = (operation: string, input: object = {}) => shop.store.data(operation, input);
  const now = () => new Date(agent.read(/Now it is (\S+)/));
  const before = (days: number) => own(new Date(now().getTime() - days * DAY_MS).toISOString());

  it('restocks the best sellers that run out, with variants', async () => {
    agent.hear('Set the best sellers of the last month that are down to 5 pieces or fewer to 40 pieces.');
    const { rows } = await agent.call('get_sales_report', {
      ...{ from: before(30), to: own(now().toISOString()), groupBy: 'variant' },
    });
    const sold = new Set(rows.filter((row: any) => row.quantity > 0).map((row: any) => row.key));
    const { items: low } = await agent.call('find_products', { maxStock: 5, take: 100 });
    const items = low.flatMap(({ productId, variants }: any) =>
      variants.length === 0
        ? sold.has(productId)
          ? [{ productId, absolute: 40 }]
          : []
        : variants
            .filter(({ id, itemAmount }: any) => itemAmount !== null && itemAmount <= 5 && sold.has(id))
            .map(({ id }: any) => ({ productId, variantId: id, absolute: 40 })),
    );
    expect((await agent.call('update_stocks', { items })).failed).toBe(0);
    const stock = async (id: string) => (await data('get_product', { id })).itemAmount;
    expect(await stock('mug-rare')).toBe(2);
    const [{ values }] = (await data('get_product', { id: 'mug-travel' })).variants;
    expect(values.map((value: any) => [value.variantValue, value.itemAmount])).toEqual(
      expect.arrayContaining([
        ['Blue', 40],
        ['Red', 90],
      ]),
    );
  });

  it('ships three orders and tells the customers', async () => {
    const [a, b, c] = shop.toShip;
    agent.hear(`${a}, ${b} and ${c} go out with DHL: JD0001, JD0002 and JD0003. Tell the customers.`);
    const parcels = [
      [a, 'JD0001'],
      [b, 'JD0002'],
      [c, 'JD0003'],
    ];
    const shipped = await agent.call('ship_orders', {
      items: parcels.map(([orderId, trackingNumber]) => ({
        orderId,
        trackingNumber,
        carrier: 'DHL',
        notify: true,
      })),
    });
    expect(shipped.items.map((item: any) => item.notified)).toEqual([true, true, true]);
    for (const [orderId, trackingNumber] of parcels)
      expect(await data('get_order', { orderId })).toMatchObject({ status: 'SHIPPED', trackingNumber });
    expect(shop.messenger.callsOf('sendMessage')).toHaveLength(3);
  });

  it('puts a brand on sale, 10 % off', async () => {
    agent.hear('Put Nordwind on sale: 10 percent off.');
    const { items: brands } = await agent.call('list_brands');
    const brandId = brands.find(({ name }: any) => name === 'Nordwind').id;
    const { items: products } = await agent.call('find_products', { brandId, take: 100 });
    const reduced = (price: number) => own(Math.round(price * 90) / 100);
    const items = products.flatMap(({ productId, price, variants }: any) =>
      variants.length === 0
        ? [{ productId, salePrice: reduced(price) }]
        : variants.map((variant: any) => ({
            ...{ productId, variantId: variant.id, salePrice: reduced(variant.price) },
          })),
    );
    const preview = await agent.call('update_prices', { items, preview: true });
    expect(preview.items.filter((item: any) => item.error ?? item.warnings)).toEqual([]);
    await agent.call('update_prices', { items });
    const wrong = await shop.app.query(
      `select p.product_id from products p left join brands b on b.id = p.brand_id
       left join variants v on v.product_id = p.id
       where p.store_id = $1 and coalesce(v.sale_price, p.sale_price) is distinct from
         case b.name when 'Nordwind' then round(coalesce(v.price, p.price) * 0.9, 2) end`,
      [shop.store.id],
    );
    expect(wrong).toEqual([]);
  });

  it('lists the orders that have waited over two days', async () => {
    agent.hear('Which orders have been waiting for over two days?');
    const { items, nextCursor } = await agent.call('find_orders', {
      ...{ statuses: ['PENDING', 'PROCESSING'], createdTo: before(2), sort: 'oldest', take: 100 },
    });
    expect(items.map(({ id }: any) => id)).toEqual(shop.waiting);
    expect(nextCursor).toBeNull();
  });

  it('refunds orders and says what went back to stock', async () => {
    agent.hear(
      'Refund the last orders of Ihor Melnyk and of Oksana Hrytsenko in full. What is back in stock?',
    );
    const stock = async (id: string) => (await data('get_product', { id })).itemAmount;
    const [mugs, plates] = [await stock('mug-classic'), await stock('nord-1')];
    const refunded = [];
    for (const text of ['Ihor Melnyk', 'Oksana Hrytsenko']) {
      const { items } = await agent.call('find_orders', { text, take: 1 });
      const [{ id: orderId, totalPrice: amount }] = items;
      refunded.push(await agent.call('refund_order', { orderId, amount }));
    }
    expect(refunded.map(({ givenBack }) => givenBack?.stock ?? [])).toEqual([
      [{ productId: 'mug-classic', variantId: null, quantity: 2 }],
      [],
    ]);
    expect([await stock('mug-classic'), await stock('nord-1')]).toEqual([mugs + 2, plates]);
  });

  it('compares this month with the last', async () => {
    agent.hear('How is this month, compared with the last?');
    expect([agent.read(/Now it is (\d{4}-\d\d)/), agent.read(/\((\w+\/\w+)\)/)]).toEqual([
      '2026-11',
      'Europe/Kyiv',
    ]);
    const report = await agent.call('get_sales_report', {
      ...{ from: own('2026-10-01T00:00:00+03:00'), to: own(now().toISOString()), groupBy: 'month' },
    });
    const sums = await shop.app.query(
      `select to_char(created_at at time zone 'Europe/Kyiv', 'YYYY-MM') as key, count(*)::integer as orders,
         (sum(total_price) filter (where status in ('PROCESSING', 'SHIPPED', 'DELIVERED')))::integer
           as revenue
       from orders where store_id = $1 and created_at >= '2026-09-30T21:00:00Z' group by 1 order by 1`,
      [shop.store.id],
    );
    expect(report.rows.map(({ key, orders, revenue }: any) => ({ key, orders, revenue }))).toEqual(sums);
    expect(sums).toHaveLength(2);
  });

  it('makes twenty personal promocodes', async () => {
    agent.hear(
      'Make a code for each of my 20 best customers: THANKS and a number, 15 percent, for one order.',
    );
    const { rows } = await agent.call('get_sales_report', {
      ...{ from: own('2026-01-01T00:00:00Z'), to: own(now().toISOString()), groupBy: 'customer', take: 20 },
    });
    const codes = rows.map((_: any, i: number) => `THANKS${i + 1}`);
    const made = await agent.call('create_promocodes', {
      items: codes.map((code: string) => ({
        ...{ code: own(code), discountType: 'PERCENTAGE', discountValue: 15, maxUses: own(1) },
      })),
    });
    expect(made.failed).toBe(0);
    const { items } = await data('list_promocodes', { take: 100 });
    expect(items.map(({ code }: any) => code).sort()).toEqual([...codes].sort());
    expect(items).toHaveLength(20);
    for (const code of items)
      expect(code).toMatchObject({
        discountType: 'PERCENTAGE',
        discountValue: 15,
        maxUses: 1,
        isActive: true,
      });
  });

  it('makes thirty products of rows, shown before they are stored', async () => {
    const rows = Array.from(
      { length: 30 },
      (_, i) => `bowl-${i};Bowl number ${i};${14 + i}.50;${i + 3};https://cdn.example/bowl-${i}.jpg;Kiln`,
    );
    agent.hear(`Add these. productId;title;price;pieces;picture;brand\n${rows.join('\n')}`);
    const { items: brands } = await agent.call('list_brands');
    const items = rows.map((row) => {
      const [productId, title, price, pieces, image, brand] = row.split(';');
      return {
        ...{ productId, title, description: '', price: own(Number(price)), images: [image] },
        ...{ itemAmount: Number(pieces), brandId: brands.find(({ name }: any) => name === brand).id },
      };
    });
    const { previewId, answer, counted } = await agent.call('preview_change', {
      operation: 'create_products',
      input: { items },
    });
    expect([counted, answer.updated, answer.failed]).toEqual([30, 20, 0]);
    await agent.call('apply_change', { previewId });
    const { items: stored } = await data('find_products', { text: 'Bowl number', take: 100 });
    expect(stored).toHaveLength(30);
    expect(stored.find(({ productId }: any) => productId === 'bowl-7')).toMatchObject({
      ...{ title: 'Bowl number 7', price: 21.5, itemAmount: 10, brandId: items[0].brandId },
    });
  });

  it(`cancels ${STALE} stale orders`, async () => {
    agent = await ScriptedAgent.connect(shop.app, shop.neglected.tokens.write);
    agent.hear('Cancel every order that has been PENDING for over a month.');
    const createdTo = own(
      new Date(new Date(agent.read(/Now it is (\S+)/)).getTime() - 30 * DAY_MS).toISOString(),
    );
    const stale = { statuses: ['PENDING'], createdTo };
    const { items: oldest } = await agent.call('find_orders', { ...stale, sort: 'oldest', take: own(3) });
    expect(oldest[0].createdAt).toMatch(/^2026-09-21/);
    const orderIds: number[] = [];
    let cursor: string | null = null;
    do {
      const next: object = { ...stale, idsOnly: true, take: 100, ...(cursor && { cursor }) };
      const page: any = await agent.call('find_orders', next);
      expect(page.items).toEqual([]);
      orderIds.push(...page.ids);
      cursor = page.nextCursor;
    } while (cursor);
    const cancelled = await agent.call('set_order_statuses', { orderIds, status: 'CANCELLED' });
    expect([cancelled.updated, cancelled.failed]).toEqual([STALE, 0]);
    const counts = await shop.app.query(
      `select status, count(*)::integer from orders where store_id = $1 group by 1 order by 1`,
      [shop.neglected.id],
    );
    expect(counts).toEqual([
      { status: 'CANCELLED', count: STALE },
      { status: 'PENDING', count: 3 },
    ]);
    expect((await shop.neglected.data('get_product', { id: 'candle' })).itemAmount).toBe(497);
  });

  it('finds a caller by their phone number', async () => {
    agent.hear('Somebody calls from 067 555 01 99 and asks where their order is. Who is it?');
    const { items: callers } = await agent.call('find_customers', { text: '067 555 01 99' });
    expect(callers.map(({ name }: any) => name)).toEqual(['Petro Kravets']);
    const { items: orders } = await agent.call('find_orders', { customerId: callers[0].id, take: own(1) });
    const [order] = await shop.app.query<any>(
      `select id::float8 as id, status from orders
       where store_id = $1 and shipping_address ->> 'phone_number' = $2`,
      [shop.store.id, '+380 67 555-01-99'],
    );
    expect(orders).toMatchObject([order]);
  });

  it('writes to everybody who bought mugs', async () => {
    shop.messenger.reset();
    agent.hear('Write to everybody who bought mugs: New mugs have arrived, come and see.');
    const { items: categories } = await agent.call('list_categories');
    const boughtCategoryId = categories.find(({ name }: any) => name === 'Mugs').id;
    const { ids, total, nextCursor } = await agent.call('find_customers', {
      ...{ boughtCategoryId, idsOnly: true, take: 100 },
    });
    expect([ids.length, nextCursor]).toEqual([total, null]);
    const message = {
      name: own('Mugs'),
      text: 'New mugs have arrived, come and see.',
      audience: { customerIds: ids },
    };
    const { recipientCount } = await agent.call('send_campaign', message);
    expect(await agent.call('send_campaign', { ...message, confirm: true })).toMatchObject({
      sent: recipientCount,
    });
    const buyers = await shop.app.query<{ id: string }>(
      `select distinct o.messenger_user_id::text as id from orders o join order_items i on i.order_id = o.id
         and i.store_id = o.store_id
       where o.store_id = $1 and i.product_id like 'mug-%' and o.status <> 'CANCELLED'`,
      [shop.store.id],
    );
    const told = shop.messenger.callsOf('sendMessage').map(({ body }) => String(body.chat_id));
    expect(told.sort()).toEqual(buyers.map(({ id }) => id).sort());
    expect(told.length).toBeGreaterThan(20);
  });

  it('adds a delivery date to the checkout without losing a field', async () => {
    agent.hear('Ask for a Delivery date in the checkout, right before the Comment. It is required.');
    const form = await data('get_checkout');
    const { fields } = await agent.call('get_checkout');
    const at = fields.findIndex(({ label }: any) => label === 'Comment');
    const date = { id: own('delivery_date'), label: 'Delivery date', type: 'date', required: true };
    const { previewId, answer } = await agent.call('preview_change', {
      operation: 'update_checkout',
      input: { fields: fields.toSpliced(at, 0, { ...date, defaultVisible: true }) },
    });
    expect(answer.warnings).toBeUndefined();
    await agent.call('apply_change', { previewId });
    const after = await data('get_checkout');
    expect(after.fields.map(({ label }: any) => label)).toEqual(
      form.fields.map(({ label }: any) => label).toSpliced(at, 0, 'Delivery date'),
    );
    expect(after.fields.toSpliced(at, 1)).toEqual(form.fields);
    expect(after.fields[at]).toMatchObject({ type: 'date', required: true, defaultVisible: true });
  });

  it('explains why a customer got only 40 bonus', async () => {
    agent.hear('Why did Maria Bondar get only 40 bonus for her last order?');
    const { items } = await agent.call('list_customers', { search: 'Maria Bondar' });
    const history = await agent.call('list_bonus_history', { customerId: items[0].id });
    expect(history.items[0].delta).toBe(40);
    for (const word of ['10 % of 500', '= 50,', 'limit of the order 40'])
      expect(history.items[0].explanation).toContain(word);
  });

  it('undoes what it has just done, also to many records', async () => {
    const prices = () =>
      shop.app.query(
        `select p.product_id, v.id, p.price, v.price as variant_price from products p
       left join variants v on v.product_id = p.id where p.store_id = $1 order by 1, 2`,
        [shop.store.id],
      );
    const beforeThat = await prices();
    agent.hear('Double the prices of the mugs.');
    const { items: mugs } = await agent.call('find_products', { text: 'mug' });
    await agent.call('update_prices', {
      items: mugs.flatMap(({ productId, price, variants }: any) =>
        variants.length === 0
          ? [{ productId, price: own(price * 2) }]
          : variants.map((variant: any) => ({
              productId,
              variantId: variant.id,
              price: own(variant.price * 2),
            })),
      ),
    });
    expect(await prices()).not.toEqual(beforeThat);
    agent.hear('That was wrong: undo what you have just done.');
    const { items } = await agent.call('list_activity', { mine: true, take: own(1) });
    expect(items[0].operation).toBe('update_prices');
    await agent.call('undo_change', { activityId: items[0].id });
    expect(await prices()).toEqual(beforeThat);
  });
});
