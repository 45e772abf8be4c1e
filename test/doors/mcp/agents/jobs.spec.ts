import { expectToFit } from './bounds.js';
import { JobsShop, STALE } from './jobs-shop.js';
import { own, ScriptedAgent } from './scripted-agent.js';

/** For a job that reads and writes long texts of two hundred products. */
const TRANSLATED = 200;
const MOST_READ = 30_000;
const MOST_TOKENS_OF_TEXTS = 60_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * What owners ask of an agent, done with what the service says alone: the list of tools, the instructions and
 * the answers. The outcome is looked up in the shop by other means.
 */
describe('a job of a shop owner', () => {
  let shop: JobsShop;
  let agent: ScriptedAgent;
  /** Of one job, if that is not the same as of the others. */
  let mostTokens: number | null;

  beforeAll(async () => void (shop = await JobsShop.open()));
  beforeEach(async () => {
    mostTokens = null;
    // The bot keeps a pace, and the clock stands still.
    shop.clock.advance(MINUTE_MS);
    agent = await ScriptedAgent.connect(shop.app, shop.store.tokens.write);
  });
  afterAll(() => shop.stop());
  afterEach(() => expectToFit(agent, mostTokens));
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

  it('puts a brand on sale, 10 % off, until Sunday', async () => {
    agent.hear('Put Nordwind on sale: 10 percent off until Sunday, 22 November.');
    const { items: brands } = await agent.call('list_brands');
    const brandId = brands.find(({ name }: any) => name === 'Nordwind').id;
    const { items: products } = await agent.call('find_products', { brandId, take: 100 });
    const sale = { salePercent: 10, saleUntil: own('2026-11-22T23:59:59+02:00') };
    const items = products.flatMap(({ productId, variants }: any) =>
      variants.length === 0
        ? [{ productId, ...sale }]
        : variants.map(({ id: variantId }: any) => ({ productId, variantId, ...sale })),
    );
    const { previewId, answer } = await agent.call('preview_change', {
      operation: 'update_prices',
      input: { items },
    });
    expect(answer.items.filter((item: any) => item.error ?? item.warnings)).toEqual([]);
    await agent.call('apply_change', { previewId });
    const wrong = await shop.app.query(
      `select p.product_id from products p left join brands b on b.id = p.brand_id
       left join variants v on v.product_id = p.id
       where p.store_id = $1 and (
         coalesce(v.sale_price, p.sale_price) is distinct from
           case b.name when 'Nordwind' then round(coalesce(v.price, p.price) * 0.9, 2) end
         or coalesce(v.sale_until, p.sale_until) is distinct from
           case b.name when 'Nordwind' then timestamptz '2026-11-22T21:59:59Z' end)`,
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

  it('compares this month with the last, by category', async () => {
    agent.hear('How is this month, compared with the last, by category?');
    expect([agent.read(/Now it is (\d{4}-\d\d)/), agent.read(/\((\w+\/\w+)\)/)]).toEqual([
      '2026-11',
      'Europe/Kyiv',
    ]);
    const report = await agent.call('get_sales_report', {
      ...{ from: own('2026-11-01T00:00:00+02:00'), to: own(now().toISOString()) },
      ...{ groupBy: 'category', compareWith: 'previous_month' },
    });
    const sums = await shop.app.query(
      `select count(*)::integer as orders,
         (sum(total_price) filter (where status in ('PROCESSING', 'SHIPPED', 'DELIVERED')))::integer
           as revenue
       from orders where store_id = $1 and created_at >= '2026-09-30T21:00:00Z'
       group by date_trunc('month', created_at at time zone 'Europe/Kyiv')
       order by min(created_at)`,
      [shop.store.id],
    );
    const figures = ({ orders, revenue }: any) => ({ orders, revenue });
    expect([report.comparedTotal, report.total].map(figures)).toEqual(sums);
    const mugs = report.rows.find(({ label }: any) => label === 'Mugs');
    expect(figures(mugs.compared)).toEqual(sums[0]);
    expect(report.rows.filter(({ compared }: any) => compared !== null)).toEqual([mugs]);
  });

  it('makes twenty personal promocodes, and sends each to its customer', async () => {
    shop.messenger.reset();
    agent.hear(
      'Make a code for each of my 20 best customers: THANKS and a number, 15 percent, one order. Send it.',
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
    const messages = rows.map(({ key: customerId }: any, i: number) => ({
      ...{ customerId, text: own(`Thank you! ${codes[i]} takes 15 % off your next order.`) },
    }));
    const sending = { name: own('Thanks'), messages };
    await agent.call('send_messages', sending);
    expect(await agent.call('send_messages', { ...sending, confirm: true })).toMatchObject({ sent: 20 });
    const told = shop.messenger.callsOf('sendMessage').map(({ body }) => [String(body.chat_id), body.text]);
    expect(told.sort()).toEqual(messages.map(({ customerId, text }: any) => [customerId, text.value]).sort());
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

  it('tells customers about their own orders, each with one message', async () => {
    shop.messenger.reset();
    agent.hear(
      'Whose orders have waited over two days? Tell each that theirs, by its number, goes out tomorrow.',
    );
    const { items } = await agent.call('find_orders', {
      ...{ statuses: ['PENDING', 'PROCESSING'], createdTo: before(2), sort: 'oldest', take: 100 },
    });
    const messages = items.map(({ id, customerId }: any) => ({
      ...{ customerId, text: own(`Your order ${id} goes out tomorrow.`) },
    }));
    const sending = { name: own('Late orders'), messages };
    const { recipientCount } = await agent.call('send_messages', sending);
    expect(recipientCount).toBe(shop.waiting.length);
    expect(await agent.call('send_messages', { ...sending, confirm: true })).toMatchObject({
      sent: recipientCount,
    });
    const told = shop.messenger.callsOf('sendMessage').map(({ body }) => [String(body.chat_id), body.text]);
    const expected = await shop.app.query<{ by: string; id: string }>(
      'select messenger_user_id::text as by, id::text from orders where store_id = $1 and id = any($2)',
      [shop.store.id, shop.waiting],
    );
    const text = (id: string) => `Your order ${id} goes out tomorrow.`;
    expect(told.sort()).toEqual(expected.map(({ by, id }) => [by, text(id)]).sort());
  });

  it(`translates the descriptions of ${TRANSLATED} products`, async () => {
    mostTokens = MOST_TOKENS_OF_TEXTS;
    const library = await shop.app.store({ name: 'Library' });
    const sentence =
      'Thrown by hand on a kick wheel, glazed twice and fired at a high heat in our own kiln. ';
    const description = (i: number) => `Piece ${i}. ${sentence.repeat(5)}`.slice(0, 400);
    const products = Array.from({ length: TRANSLATED }, (_, i) => ({
      ...{ productId: `piece-${i}`, title: `Piece ${i}`, description: description(i), price: 10 + i },
      images: ['https://images.example/a.jpg', 'https://images.example/b.jpg'],
    }));
    for (const from of [0, 100])
      expect(
        (await library.data('create_products', { items: products.slice(from, from + 100) })).failed,
      ).toBe(0);
    agent = await ScriptedAgent.connect(shop.app, library.tokens.write);
    agent.hear('Translate the description of every product into German.');
    const found: any[] = [];
    let cursor: string | null = null;
    do {
      const page: any = await agent.call('find_products', {
        ...{ fields: ['description'], take: 100, ...(cursor && { cursor }) },
      });
      found.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    expect(found).toHaveLength(TRANSLATED);
    expect(agent.spent.tokens).toBeLessThanOrEqual(MOST_READ);
    const german =
      'Von Hand auf der Fußscheibe gedreht, zweimal glasiert und im eigenen Ofen heiß gebrannt. ';
    const inGerman = (text: string) => `Stück ${/\d+/.exec(text)![0]}. ${german.repeat(5)}`.slice(0, 400);
    const items = found.map((one) => ({ id: one.productId, description: own(inGerman(one.description)) }));
    for (const from of [0, 100]) {
      const { updated } = await agent.call('update_products', { items: items.slice(from, from + 100) });
      expect(updated).toBe(100);
    }
    const left = await shop.app.query(
      `select product_id from products where store_id = $1
         and description not like 'Stück ' || substr(product_id, 7) || '. Von Hand%'`,
      [library.id],
    );
    expect(left).toEqual([]);
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
