import { documentsChange } from '../../../src/search/documents.js';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { eraseCustomer } from '../../../src/groups/customers/erasing/erase-customer.js';
import { TestClock, type TestStore, useShop } from '../../support/test-app.js';

type Found = Record<string, any>;

describe('find_orders', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.000Z'));
  let store: TestStore;
  const orders: Record<string, Found> = {};
  const products: Record<string, Found> = {};

  const HOUR = 3_600_000;
  const PEOPLE: Record<string, Record<string, unknown> & { id: string }> = {
    olena: { id: '7001', firstName: 'Olena', lastName: 'Kovalenko', username: 'olena_k' },
    ivan: { id: '7002', firstName: 'Іван', lastName: 'Ковальчук', username: 'ivan' },
    wang: { id: '7003', firstName: '王伟' },
    nobody: { id: '7004' },
  };

  const product = (productId: string, title: string) =>
    store.data('create_product', {
      ...{
        productId,
        title,
        description: '',
        images: ['https://images.example/a.png'],
        price: 10,
        tags: 'spring sale',
      },
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 12 }] }],
    });
  const place = async (name: string, who: string, of: string[]) => {
    clock.advance(HOUR);
    const items = of.map((key) => ({
      productId: products[key].productId,
      quantity: 2,
      optionTitle: 'Size',
      variantValue: 'S',
    }));
    orders[name] = await store.place({ items }, PEOPLE[who]);
  };
  const find = async (input: object): Promise<string[]> => {
    const { items, total } = await store.data('find_orders', input, { scope: 'read' });
    expect(total).toBe(items.length);
    return items.map(({ id }: Found) => Object.keys(orders).find((name) => orders[name].id === id));
  };

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
    products.kettle = await product('KTL-100%_x', 'Enamel Kettle');
    products.tea = await product('tea-1', '绿茶 Зелений чай');
    products.mug = await product('mug-1', 'Straße mug');
    await place('a', 'olena', ['kettle']);
    await place('b', 'ivan', ['tea']);
    await place('c', 'olena', ['mug', 'tea']);
    await place('d', 'wang', ['kettle', 'mug', 'tea']);
    await place('e', 'nobody', ['mug']);
    clock.advance(HOUR);
    await store.data('ship_order', { orderId: orders.b.id, carrier: 'DHL', trackingNumber: 'JD014600006' });
    clock.advance(HOUR);
    await store.data('set_order_status', { orderId: orders.a.id, status: 'CANCELLED' });
  });

  it('returns compact rows', async () => {
    const { items, nextCursor } = await store.data('find_orders', { text: 'wang' });
    expect([items, nextCursor]).toEqual([[], null]);
    const { items: rows } = await store.data('find_orders', { customerId: '7002' });
    const { createdAt, updatedAt } = await store.data('get_order', { orderId: orders.b.id });
    expect(rows).toEqual([
      {
        ...{ id: orders.b.id, status: 'SHIPPED', totalPrice: 2400, currency: 'USD', customerId: '7002' },
        ...{
          customerName: 'Іван Ковальчук',
          username: 'ivan',
          itemCount: 2,
          items: '2x 绿茶 Зелений чай (S)',
        },
        ...{ carrier: 'DHL', trackingNumber: 'JD014600006', trackingUrl: null, externalId: null },
        ...{ createdAt, updatedAt },
        ...{ paid: 0, refunded: 0, owedBack: 0, isTest: false },
      },
    ]);
    const [d] = (await store.data('find_orders', { text: String(orders.d.id) })).items;
    expect(d).toMatchObject({
      customerName: '王伟',
      username: null,
      itemCount: 6,
      items: '2x Enamel Kettle (S), 2x Straße mug (S), 2x 绿茶 Зелений чай (S)',
    });
    const [e] = (await store.data('find_orders', { customerId: '7004' })).items;
    expect([e.customerName, e.carrier]).toEqual([null, null]);
  });

  it.each<[string, string[]]>([
    ['olena', ['c', 'a']],
    ['OLENA kovalenko', ['c', 'a']],
    ['kovalenko  olena', ['c', 'a']],
    ['@olena_k', ['c', 'a']],
    ['@olena', ['c', 'a']],
    ['@lena', []],
    ['ивАН', []],
    ['іВАН', ['b']],
    ['коваль', ['b']],
    ['伟', ['d']],
    ['jd0146', ['b']],
    ['JD014600006', ['b']],
    ['0146', ['b']],
    ['146000', ['b']],
    ['600006', ['b']],
    ['460000', []],
    ['KETTLE', ['d', 'a']],
    ['kettle enamel', ['d', 'a']],
    ['ktl-100%_X', ['d', 'a']],
    ['ktl-100xx', []],
    ['茶', ['d', 'c', 'b']],
    ['зелений ЧАЙ', ['d', 'c', 'b']],
    ['STRASSE', ['e', 'd', 'c']],
    ['olena tea', ['c']],
    ['olena berlin', []],
    ['spring', []],
    ["' or true --", []],
    ['%', []],
  ])('finds %j by name, tracking number, product or id', async (text, found) => {
    expect(await find({ text })).toEqual(found);
  });

  it('finds the number of an order, with and without #', async () => {
    for (const text of [String(orders.c.id), `#${orders.c.id}`]) expect(await find({ text })).toContain('c');
    expect(await find({ text: `${orders.c.id}0000000` })).toEqual([]);
  });

  it('finds an order by the title that its product had then', async () => {
    const shop = await app.store();
    const { id, productId } = await shop.product({ productId: 'former-1' });
    await shop.data('update_product', { id, title: 'Grüner Tee' });
    const order = await shop.place({ items: [{ productId, quantity: 1 }] });
    await shop.data('update_product', { id, title: 'Sencha' });
    const ids = async (text: string) =>
      (await shop.data('find_orders', { text })).items.map((row: Found) => row.id);
    expect([await ids('GRUNER'), await ids('sencha'), await ids('former')]).toEqual([
      [order.id],
      [],
      [order.id],
    ]);
    await shop.data('delete_product', { id, confirm: true });
    expect([await ids('grüner'), await ids('former-1')]).toEqual([[order.id], [order.id]]);
    expect((await shop.data('find_orders', { productId: 'former-1' })).items).toHaveLength(1);
    await shop.data('update_customer', { id: '1001', firstName: 'Renamed', username: '@Ann' });
    expect([await ids('renamed'), await ids('@ann')]).toEqual([[order.id], [order.id]]);
  });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['e', 'd', 'c', 'b', 'a']],
    ['a customer', { customerId: '7001' }, ['c', 'a']],
    ['a customer, oldest first', { customerId: '7001', sort: 'oldest' }, ['a', 'c']],
    ['a customer and a product', { customerId: '7001', productId: 'mug-1' }, ['c']],
    ['a customer and a text', { customerId: '7001', text: 'kettle' }, ['a']],
    ['a product', { productId: 'tea-1' }, ['d', 'c', 'b']],
    ['a product and a text', { productId: 'tea-1', text: 'olena' }, ['c']],
    ['one status', { statuses: ['PENDING'] }, ['e', 'd', 'c']],
    ['two statuses', { statuses: ['CANCELLED', 'SHIPPED', 'SHIPPED'] }, ['b', 'a']],
    ['a status and a text', { statuses: ['PENDING'], text: 'olena' }, ['c']],
    ['oldest', { sort: 'oldest' }, ['a', 'b', 'c', 'd', 'e']],
    ['created from', { createdFrom: '2026-03-01T13:00:00Z' }, ['e', 'd', 'c']],
    ['created to', { createdTo: '2026-03-01T13:00:00+00:00' }, ['c', 'b', 'a']],
    [
      'created between, of a status',
      { createdFrom: '2026-03-01T12:00:00Z', createdTo: '2026-03-01T14:00:00Z', statuses: ['PENDING'] },
      ['d', 'c'],
    ],
    ['created between, with a text', { createdFrom: '2026-03-01T12:00:00Z', text: 'olena' }, ['c']],
  ])('filters by %s', async (_, input, found) => {
    expect(await find(input)).toEqual(found);
  });

  it('finds changed orders by every bound and sort', async () => {
    const [{ updatedAt: ofA }, { updatedAt: ofB }] = await Promise.all(
      [orders.a, orders.b].map(({ id }) => store.data('get_order', { orderId: id })),
    );
    // Changed last, whatever clock changes go by.
    expect((await find({ sort: 'recently_updated' })).slice(0, 2)).toEqual(['a', 'b']);
    expect((await find({ sort: 'least_recently_updated' })).slice(-2)).toEqual(['b', 'a']);
    expect(await find({ updatedFrom: ofB })).toEqual(['a', 'b']);
    expect(await find({ updatedFrom: ofB, sort: 'newest' })).toEqual(['b', 'a']);
    expect(await find({ updatedFrom: ofB, sort: 'oldest', text: 'olena' })).toEqual(['a']);
    expect(await find({ updatedTo: ofA, updatedFrom: ofA })).toEqual(['a']);
    expect(await find({ sort: 'recently_updated', createdTo: '2026-03-01T12:00:00Z' })).toEqual(['a', 'b']);
    expect(await find({ sort: 'recently_updated', customerId: '7001' })).toEqual(['a', 'c']);
    expect(await find({ sort: 'recently_updated', productId: 'tea-1' })).toEqual(['b', 'd', 'c']);
    expect(await find({ sort: 'recently_updated', text: 'kettle' })).toEqual(['a', 'd']);
  });

  it.each<[string, object]>([
    ['all', {}],
    ['all, oldest first', { sort: 'oldest' }],
    ['all by change', { sort: 'recently_updated' }],
    ['all by change, oldest first', { sort: 'least_recently_updated' }],
    ['those of a product', { productId: 'tea-1' }],
    ['those of a product and a text', { productId: 'tea-1', text: 'olena' }],
    ['those of a customer', { customerId: '7001', productId: 'mug-1' }],
    ['those of one status', { statuses: ['PENDING'] }],
    ['those created since', { createdFrom: '2026-03-01T12:00:00Z' }],
    ['those with a text', { text: 'olena' }],
    ['those with a text in two of their products', { text: 'e' }],
    ['those with a text, of a status', { text: 'tea', statuses: ['PENDING'] }],
    ['those with a text, by change', { text: 'olena', sort: 'recently_updated' }],
    ['those changed since, newest first', { updatedFrom: '2020-01-01T00:00:00Z', sort: 'newest' }],
  ])('pages through %s, one by one', async (_, input) => {
    const whole = await find(input);
    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Found = await store.data('find_orders', {
        ...input,
        take: 1,
        ...(cursor ? { cursor } : {}),
      });
      expect(page.total).toBe(whole.length);
      walked.push(
        ...page.items.map(({ id }: Found) => Object.keys(orders).find((name) => orders[name].id === id)),
      );
      cursor = page.nextCursor;
    } while (cursor);
    expect(walked).toEqual(whole);
  });

  it('finds common and rare words in a larger store', async () => {
    const large = await app.store();
    const { productId } = await large.product({ productId: 'common' });
    await app.query(
      `insert into customers (store_id, id, first_name, created_at, updated_at)
       select $1, n, case when n % 1000 = 0 then 'Rare' else 'Often' end, now(), now()
         from generate_series(1, 6000) n`,
      [large.id],
    );
    await app.query(
      `with placed as (
         insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
           created_at, updated_at)
         select $1, next_order_id($1), 'PENDING', 'card', 100, 'USD', n,
           now() - n * interval '1 minute', now()
           from generate_series(1, 6000) n returning id
       ) insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
       select $1, id, 1, $2, 'Common', 1, 100 from placed`,
      [large.id, productId],
    );
    await large.index();
    // What autovacuum does within a minute of so many rows: without it the planner takes them for none.
    await app.query('analyze customers, orders, order_items, search_documents');
    const customers = async (input: object) =>
      (await large.data('find_orders', input)).items.map(({ customerId }: Found) => customerId);
    expect(await customers({ text: 'rare' })).toEqual(['1000', '2000', '3000', '4000', '5000', '6000']);
    expect(await customers({ text: 'rare', sort: 'oldest', take: 2 })).toEqual(['6000', '5000']);
    expect(await customers({ text: 'often', take: 3 })).toEqual(['1', '2', '3']);
    expect(await customers({ text: 'common', take: 2 })).toEqual(['1', '2']);
    expect(await customers({ productId, take: 2 })).toEqual(['1', '2']);
    expect(await customers({ take: 2 })).toEqual(['1', '2']);
    expect(await customers({ text: 'rarer' })).toEqual([]);
    const totalOf = async (input: object, take = 1) => {
      const { total, totalIsAtLeast } = await large.data('find_orders', { ...input, take });
      return totalIsAtLeast ? `at least ${total}` : total;
    };
    expect(await totalOf({ text: 'rare' })).toBe(6);
    expect(await totalOf({ text: 'often' })).toBe(5994);
    expect(await totalOf({ text: 'common' })).toBe(6000);
    // Another 4,000 orders of the customers, and then one more.
    const more = async (from: number, to: number) => {
      const rows = await app.query<{ id: string }>(
        `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
           created_at, updated_at)
         select $1, next_order_id($1), 'SHIPPED', 'card', 100, 'USD', 1 + n % 999,
           now() + n * interval '1 minute', now()
           from generate_series($2::int, $3) n returning id`,
        [large.id, from, to],
      );
      const ids = rows.map(({ id }) => id);
      await large.inside(async (ctx) => documentsChange(ctx, 'order', ids));
    };
    await more(1, 4000);
    expect([await totalOf({}), await totalOf({ text: 'often' })]).toEqual([10_000, 9994]);
    await more(4001, 4005);
    expect(await totalOf({ text: 'often' })).toBe(9999);
    await more(4006, 4006);
    expect(await totalOf({ text: 'often' })).toBe(10_000);
    await more(4007, 4007);
    const counted: [object, unknown][] = [
      [{}, 'at least 10000'],
      [{ statuses: ['PENDING', 'SHIPPED'] }, 'at least 10000'],
      [{ statuses: ['SHIPPED'] }, 4007],
      [{ updatedFrom: '2020-01-01T00:00:00Z' }, 'at least 10000'],
      [{ text: 'often' }, 'at least 10000'],
      [{ text: 'often', statuses: ['SHIPPED'] }, 4007],
      [{ text: 'often', createdTo: '2000-01-01T00:00:00Z' }, 0],
      [{ text: 'often', statuses: ['CANCELLED'] }, 0],
      [{ text: '1', statuses: ['CANCELLED'] }, 0],
      [{ productId }, 6000],
    ];
    for (const [input, total] of counted) expect([input, await totalOf(input)]).toEqual([input, total]);

    const [{ at }] = await app.query<{ at: string }>(
      `select to_json(created_at) #>> '{}' as at from orders
       where store_id = $1 and status = 'PENDING' and messenger_user_id = 1999`,
      [large.id],
    );
    const bounded = { text: 'common', statuses: ['PENDING'], createdFrom: at };
    expect(await totalOf({ text: 'common', statuses: ['PENDING'] })).toBe(6000);
    expect(await totalOf(bounded)).toBe(1999);
    expect(await totalOf({ ...bounded, text: 'rare' })).toBe(1);
    expect(await totalOf({ text: 'common' })).toBe(6000);
  });

  describe('by phone number and address', () => {
    let shop: TestStore;
    const ids: Record<string, number> = {};
    const numbers = async (text: string) => {
      const { items, total } = await shop.data('find_orders', { text });
      expect(total).toBe(items.length);
      return items.map(({ id }: Found) => Object.keys(ids).find((name) => ids[name] === id));
    };

    beforeAll(async () => {
      shop = await app.store();
      const { productId } = await shop.product();
      const buy = async (name: string, more: object) => {
        const order = await shop.place({ items: [{ productId, quantity: 1 }], ...more }, { id: '8001' });
        ids[name] = order.id;
      };
      await buy('kyiv', {
        shippingAddress: {
          name: 'Оксана Ёлкина',
          phone_number: '+380 (67) 123-45-67',
          email: 'oksana@example.com',
          shipping_address: { city: 'Київ', street: 'вул. Хрещатик, 22', post_code: '01001' },
        },
      });
      await buy('berlin', {
        checkoutData: [
          { id: 'street', label: 'Street', type: 'text', value: 'Königstraße 7, 10115 BERLIN' },
          { id: 'tel', label: 'Phone', type: 'phone', value: '030 5559876' },
          { id: 'mail', label: 'E-mail', type: 'email', value: 'ann@example.com' },
        ],
      });
      await buy('tokyo', { shippingAddress: { address: '東京都渋谷区 1-2 100%_a' } });
      await buy('nowhere', {
        shippingAddress: { odd: ['\u0001', { deep: ['Istanbul'] }] },
        checkoutData: [],
      });
    });

    it.each<[string, string[]]>([
      ['+380671234567', ['kyiv']],
      ['067 123 45 67', ['kyiv']],
      ['4567', ['kyiv']],
      ['030 555', []],
      ['5559876', ['berlin']],
      ['київ', ['kyiv']],
      ['Хрещатик 22', ['kyiv']],
      ['22, хрещ', ['kyiv']],
      ['щатик', ['kyiv']],
      ['Елкина', ['kyiv']],
      ['київ berlin', []],
      ['konigstrasse', ['berlin']],
      ['KÖNIGSTRASSE', ['berlin']],
      ['berlin 10115', ['berlin']],
      ['東京', ['tokyo']],
      ['渋谷', ['tokyo']],
      ['谷渋', []],
      ['100% 渋', ['tokyo']],
      ['istanbul', ['nowhere']],
      ['İSTANBUL', ['nowhere']],
      // A number is none of an address, and @ begins a username.
      ['01001', []],
      ['@berlin', []],
      ['oksana@example.com', ['kyiv']],
      ['example', ['berlin', 'kyiv']],
      ['--', []],
    ])('finds %j', async (text, found) => {
      expect(await numbers(text)).toEqual(found);
    });

    it('follows what an order says now, and finds none that was erased or deleted', async () => {
      await app.query(
        `update orders set checkout_data = '[{"type":"text","value":"Dresden"}]'
         where store_id = $1 and id = $2`,
        [shop.id, ids.berlin],
      );
      await shop.index();
      expect([await numbers('berlin'), await numbers('dresden'), await numbers('5559876')]).toEqual([
        [],
        ['berlin'],
        [],
      ]);
      await shop.data('delete_order', { orderId: ids.tokyo, confirm: true });
      expect(await numbers('東京')).toEqual([]);
      await shop.inside((ctx) => eraseCustomer(ctx, '8001'));
      for (const text of ['київ', 'dresden', '4567', 'istanbul']) expect(await numbers(text)).toEqual([]);
    });

    it('counts rare addresses and phone numbers among many', async () => {
      const large = await app.store();
      await app.query(
        `insert into customers (store_id, id, first_name, created_at, updated_at)
         values ($1, 1, 'x', now(), now())`,
        [large.id],
      );
      await app.query(
        `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
           shipping_address, created_at, updated_at)
         select $1, next_order_id($1), 'PENDING', 'card', 100, 'USD', 1,
           json_build_object('phone_number', 380500000000 + n, 'address',
             case when n % 1000 = 0 then 'Lviv ' else 'Odesa ' end || n), now(), now()
         from generate_series(1, 3000) n`,
        [large.id],
      );
      await large.index();
      const found = async (text: string) => {
        const { items, total } = await large.data('find_orders', { text, take: 1 });
        return [items.length, total];
      };
      expect(await found('lviv')).toEqual([1, 3]);
      expect(await found('odesa')).toEqual([1, 2997]);
      expect(await found('odesa 17')).toEqual([1, 111]);
      expect(await found('+380 50 000 1234')).toEqual([1, 1]);
    });
  });

  it.each<[object, string, RegExp]>([
    [{ customerId: '999' }, 'not_found', /^Customer 999/],
    [{ customerId: 'olena' }, 'not_found', /^Customer olena/],
    [{ productId: 'nothing' }, 'not_found', /^Product nothing/],
    [{ statuses: [] }, 'invalid_input', /^statuses must be/],
    [{ statuses: ['NEW'] }, 'invalid_input', /^statuses must be an array of 1 to 5 of PENDING/],
    [{ text: '' }, 'invalid_input', /^text must be/],
    [{ createdFrom: '2026-03-01' }, 'invalid_input', /^createdFrom must be/],
    [{ sort: 'best' }, 'invalid_input', /^sort must be one of/],
    [{ cursor: 'x' }, 'invalid_input', /^cursor is not one/],
    [{ status: 'PENDING' }, 'invalid_input', /^status/],
  ])('refuses %j', async (input, code, message) => {
    const { body } = await store.call('find_orders', input);
    expect([body.error?.code, body.error?.message]).toEqual([code, expect.stringMatching(message)]);
  });

  it('refuses a cursor of another sort', async () => {
    const { nextCursor: cursor } = await store.data('find_orders', { take: 1 });
    expect((await store.call('find_orders', { sort: 'oldest', cursor })).body.error!.message).toMatch(
      /^cursor is not one/,
    );
  });

  it('returns rows that cost a model few tokens', async () => {
    const encoder = new Tiktoken(cl100k);
    const { items } = await store.data('find_orders', {});
    const each = items.map((row: Found) => encoder.encode(JSON.stringify(row)).length);
    expect(Math.max(...each)).toBeLessThanOrEqual(160);
  });
});
