import { writeAllDocuments } from '../../../src/search/documents.js';
import { StorePage } from '../../doors/dashboard/browser.js';
import { BotWebhook, MiniApp } from '../../doors/storefront/mini-app.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';

const MIB = 1024 * 1024;
const COUNT = 100;
/** Text that does not shrink when it is stored. */
const TEXT = `(select string_agg(md5(random()::text), '') from generate_series(1, $2::integer / 32))`;

/** docs/behaviour.md §3: a page ends before it exceeds 1 MiB of JSON, after one item at least. */
describe('a page', () => {
  let store: TestStore;

  const { app, messenger } = useShopWithMessenger();
  beforeEach(async () => {
    store = await app.store();
  });

  type Page = { items: { id: string | number }[]; nextCursor: string | null };

  /** Walks all pages. @returns how many items each has; none may be over 1 MiB, repeat an item or miss one */
  const walk = async (
    read: (query: object) => Promise<Page>,
    expected: (string | number)[],
  ): Promise<number[]> => {
    const counts: number[] = [];
    const seen: (string | number)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await read({ take: COUNT, ...(cursor === '' ? {} : { cursor }) });
      const bytes = Buffer.byteLength(JSON.stringify(page.items));
      expect([page.items.length, bytes <= MIB || page.items.length === 1]).toEqual([page.items.length, true]);
      counts.push(page.items.length);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(expected);
    return counts;
  };

  const products = async (bytes: number, count: number) => {
    const rows = await app.query<{ id: string }>(
      `with text as materialized (select ${TEXT} as value)
       insert into products (store_id, id, product_id, title, description, images, price, created_at,
         updated_at)
       select $1, ('0197f000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'p-' || i, 'p', text.value,
         '{https://a.example/}', 1, now(), now()
       from generate_series(1, $3) i, text returning id`,
      [store.id, bytes, count],
    );
    return rows
      .map(({ id }) => id)
      .sort()
      .reverse();
  };
  const query = (values: object) =>
    new URLSearchParams(
      Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
    );

  it('of products with large descriptions ends before 1 MiB, on the storefront too', async () => {
    const ids = await products(1_000_000, 12);
    expect(new Set(await walk((input) => store.data('list_products', input), ids))).toEqual(new Set([1]));
    await BotWebhook.connect(store, messenger);
    const shopper = new MiniApp(store);
    const catalog = async (input: object) => (await shopper.send('GET', `catalog?${query(input)}`)).body.data;
    expect(new Set(await walk(catalog, ids))).toEqual(new Set([1]));
  });

  it('of campaigns with long texts ends before 1 MiB', async () => {
    const rows = await app.query<{ id: string }>(
      `insert into campaigns (store_id, id, name, text, audience, recipient_count, input_hash, created_at)
       select $1, gen_random_uuid(), 'Sale', ${TEXT}, '{}', 0, '', now() from generate_series(1, 100)
       returning id`,
      [store.id, 20_000],
    );
    const ids = rows.map(({ id }) => id).sort();
    const counts = await walk((input) => store.data('list_campaigns', input), ids.reverse());
    expect(counts.length).toBeGreaterThan(1);
  });

  it('reads only one product more than it returns', async () => {
    await products(1_000_000, 60);
    const before = process.memoryUsage().rss;
    await Promise.all(Array.from({ length: 24 }, () => store.data('list_products', { take: COUNT })));
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * MIB);
  });

  /** Products that each have a thousand variants with values of so many characters. */
  const withVariants = async (characters: number, count: number) => {
    const ids = await products(32, count);
    await app.query(
      `insert into variants (store_id, id, product_id, option_title, variant_value, price, sort_order,
        created_at, updated_at)
       select p.store_id, gen_random_uuid(), p.id, 'Size', repeat('x', $2) || i, 1, i, now(), now()
         from products p, generate_series(1, 1000) i
       where p.store_id = $1`,
      [store.id, characters],
    );
    return ids;
  };

  it('of products with many variants ends before 1 MiB, wherever variants are listed with them', async () => {
    const ids = await withVariants(100, 20);
    const newest = (input: object) => store.data('find_products', input);
    expect(new Set(await walk(newest, ids))).toEqual(new Set([4]));
    expect(new Set(await walk((input) => newest({ ...input, sort: 'oldest' }), [...ids].reverse()))).toEqual(
      new Set([4]),
    );
    await store.inside(({ session }) => writeAllDocuments(session));
    expect(new Set(await walk((input) => newest({ ...input, text: 'p' }), ids))).toEqual(new Set([4]));
    await BotWebhook.connect(store, messenger);
    const shopper = new MiniApp(store);
    const catalog = async (input: object) => (await shopper.send('GET', `catalog?${query(input)}`)).body.data;
    expect((await walk(catalog, ids)).length).toBeGreaterThan(4);
  });

  it('reads only the variants of one product more than it returns', async () => {
    await withVariants(1_000, 60);
    const before = process.memoryUsage().rss;
    await Promise.all(Array.from({ length: 12 }, () => store.data('find_products', { take: COUNT })));
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * MIB);
  });

  it('holds as many items as fit, and all that were asked for if they do', async () => {
    const ids = await products(100_000, 25);
    expect(await walk((input) => store.data('list_products', input), ids)).toEqual([10, 10, 5]);
    const small = await app.store();
    store = small;
    await products(1_000, 25);
    expect((await small.data('list_products', { take: COUNT })).items).toHaveLength(25);
    expect((await small.data('list_products', { take: 10 })).items).toHaveLength(10);
  });

  it.each([
    ['shipping_address', `json_build_object('a', text.value)`],
    [
      'checkout_data',
      `json_build_array(json_build_object('id', 'a', 'label', 'a', 'type', 'text', 'value', text.value))`,
    ],
  ])(
    'of orders with a large %s ends before 1 MiB',
    async (column, value) => {
      const insert = async (bytes: number, count: number) =>
        app.query<{ id: string }>(
          `with text as materialized (select ${TEXT} as value)
         insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
           ${column}, created_at, updated_at)
         select $1, next_order_id($1), 'PENDING', 'cash', 1, 'USD', 1001, ${value}, now(), now()
           from generate_series(1, $3::integer), text returning id`,
          [store.id, bytes, count],
        );
      await store.place(
        { items: [{ productId: (await store.product({ price: '1' })).productId, quantity: 1 }] },
        { id: '1001' },
      );
      const [{ id: first }] = await app.query<{ id: string }>('select id from orders where store_id = $1', [
        store.id,
      ]);
      const rows = [
        { id: first },
        ...(await insert(1_000_000, 4)),
        ...(await insert(100_000, 12)),
        ...(await insert(64, 12)),
      ];
      const ids = rows.map(({ id }) => Number(id)).sort((a, b) => b - a);
      const list = (input: object) => store.data('list_orders', input);
      const counts = await walk(list, ids);
      expect(counts[0]).toBe(22);
      expect(counts.length).toBeGreaterThan(4);
      expect(await walk((input) => list({ ...input, status: 'PENDING' }), ids)).toEqual(counts);
      await BotWebhook.connect(store, messenger);
      const shopper = new MiniApp(store);
      const own = async (input: object) => (await shopper.send('GET', `orders?${query(input)}`)).body.data;
      expect(await walk(own, ids)).toEqual(counts);
      for (const { id } of (await list({ take: 2 })).items) {
        expect((await list({ take: 1, cursor: String(id + 1) })).items).toEqual([
          await store.data('get_order', { orderId: id }),
        ]);
      }
    },
    60_000,
  );

  it('of the audit log ends before 1 MiB', async () => {
    const page = await StorePage.ofOwner(store);
    await app.query(
      `with text as materialized (select ${TEXT} as value)
       insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, input, outcome,
         request_id)
       select $1, ('0197f000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, now(), 'system', 'x',
         'x.test', 'cli', json_build_object('a', text.value), 'ok', ''
       from generate_series(1, 12) i, text`,
      [store.id, 400_000],
    );
    const rows = await app.query<{ id: string }>(
      `select id from audit_log where store_id = $1 and operation = 'x.test' order by id desc`,
      [store.id],
    );
    const counts = await walk(
      (input) => page.data('GET', `audit?${query({ ...input, operation: 'x.test' })}`),
      rows.map(({ id }) => id),
    );
    expect(counts).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('of customers, brands and categories with long texts ends before 1 MiB', async () => {
    const text = 'x'.repeat(2_000);
    const url = `https://a.example/${'x'.repeat(2_000)}`;
    await app.query(
      `insert into brands (store_id, id, name, slug, description, logo_url, website_url, is_active,
        created_at, updated_at)
       select $1, ('0197f000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'b', 'b-' || i,
         repeat('😀', 2000), $2, repeat($3, 10), true, now(), now()
       from generate_series(1, 90) i`,
      [store.id, url, text],
    );
    const rows = await app.query<{ id: string }>(
      'select id from brands where store_id = $1 order by id desc',
      [store.id],
    );
    expect(
      await walk(
        (input) => store.data('list_brands', input),
        rows.map(({ id }) => id),
      ),
    ).toEqual([34, 34, 22]);
    await app.query(
      `insert into categories (store_id, id, name, slug, description, image_url, sort_order, is_active,
        created_at, updated_at)
       select $1, gen_random_uuid(), 'k', 'k-' || i, repeat('😀', 2000), $2, -i, true, now(), now()
         from generate_series(1, 200) i`,
      [store.id, url],
    );
    await BotWebhook.connect(store, messenger);
    const catalog = (await new MiniApp(store).send('GET', 'catalog')).body.data;
    for (const list of [catalog.brands, catalog.categories]) {
      const bytes = Buffer.byteLength(JSON.stringify(list));
      expect([bytes > 0.9 * MIB, bytes < 1.1 * MIB]).toEqual([true, true]);
    }
    expect(catalog.brands.map(({ id }: any) => id)).toEqual(
      rows
        .map(({ id }) => id)
        .reverse()
        .slice(0, catalog.brands.length),
    );
    expect(catalog.categories.map(({ sortOrder }: any) => sortOrder)).toEqual(
      Array.from({ length: catalog.categories.length }, (_, i) => i - 200),
    );
  });
});
