import { LongPoll } from '../../../src/groups/events/long-poll.service.js';
import { ProductsService } from '../../../src/groups/products/products.service.js';
import { StorePage } from '../../doors/dashboard/browser.js';
import { ownDatabase } from '../../support/database/own-database.js';
import { eventually } from '../../support/eventually.js';
import { paced } from '../../support/waiting/paced.mjs';
import { TestApp, TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { readFeed } from './read-feed.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Page {
  items: { kind: string; id: string; productId: string | null; change: string; at: string }[];
  nextCursor: string;
}

const page = (store: TestStore, input: object = {}): Promise<Page> =>
  store.data('list_changes', input, { scope: 'read' });

const read = (store: TestStore, count: number, from?: string, input?: object): Promise<Page> =>
  readFeed((asked) => page(store, asked), count, from, input);

const told = ({ items }: Page) => items.map(({ kind, id, change }) => [kind, id, change]);

describe('the feed of changes', () => {
  const clock = new TestClock();
  let store: TestStore;

  const app = useShop(async () => ({ database: await ownDatabase(), clock }));
  beforeEach(async () => {
    clock.set(new Date());
    store = await app.store();
  });

  const brand = async (slug: string) => (await store.data('create_brand', { name: slug, slug })).id as string;

  it('tells each kind of record, its creation, its changes as one, and its end', async () => {
    const brandId = await brand('a');
    const category = await store.data('create_category', { name: 'C', slug: 'c' });
    const promocode = await store.data('create_promocode', {
      ...{ code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 },
    });
    const mug = await store.data('create_product', {
      ...{ productId: 'mug', title: 'Mug', description: '', price: 10, brandId },
      images: ['https://images.example/a.png'],
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 10, itemAmount: 5 }] }],
    });
    const first = await read(store, 4);
    expect(told(first)).toEqual([
      ['brand', brandId, 'created'],
      ['category', category.id, 'created'],
      ['promocode', promocode.id, 'created'],
      ['product', mug.id, 'created'],
    ]);
    expect(first.items.map(({ productId }) => productId)).toEqual([null, null, null, 'mug']);

    for (const name of ['B', 'D']) await store.data('update_brand', { id: brandId, name });
    const variant = (await store.data('list_variants', { productId: 'mug' })).items[0];
    await store.data('update_variant', { id: variant.id, price: 11 });
    const second = await read(store, 2, first.nextCursor);
    expect(told(second)).toEqual([
      ['brand', brandId, 'updated'],
      ['product', mug.id, 'updated'],
    ]);

    // The order takes stock, and has a new customer.
    await store.place({
      items: [{ productId: 'mug', optionTitle: 'Size', variantValue: 'S', quantity: 1 }],
    });
    const third = await read(store, 2, second.nextCursor);
    expect(told(third).sort()).toEqual([
      ['customer', '1001', 'created'],
      ['product', mug.id, 'updated'],
    ]);

    // The product loses its brand.
    await store.data('delete_brand', { id: brandId, confirm: true });
    await store.data('delete_product', { id: mug.id, confirm: true });
    const fourth = await read(store, 2, third.nextCursor);
    expect(told(fourth)).toEqual([
      ['brand', brandId, 'deleted'],
      ['product', mug.id, 'deleted'],
    ]);
    expect(fourth.items[1].productId).toBe('mug');
    expect((await page(store, { cursor: fourth.nextCursor })).items).toEqual([]);
    expect(told(await read(store, 5)).map(([, , change]) => change)).toEqual([
      ...['created', 'created', 'created', 'deleted', 'deleted'],
    ]);
  });

  it('goes on page by page, by kinds, and does not tell what only counts', async () => {
    const ids = [await brand('a'), await brand('b'), await brand('c')];
    await app.query(
      'insert into customers (store_id, id, created_at, updated_at) values ($1, 5, now(), now())',
      [store.id],
    );
    const { nextCursor } = await read(store, 4);
    await app.query('update customers set last_seen_at = now() where store_id = $1', [store.id]);
    await app.query('update categories set sort_order = 1 where store_id = $1', [store.id]);
    const first = await page(store, { take: 2 });
    const second = await page(store, { take: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([...ids, '5']);
    expect((await page(store, { kinds: ['customer', 'product'] })).items.map(({ id }) => id)).toEqual(['5']);
    expect((await page(store, { cursor: nextCursor })).items).toEqual([]);
    const { status, body } = await store.call('list_changes', { kinds: ['order'] });
    expect([status, body.error!.message]).toEqual([
      400,
      expect.stringContaining('kinds must be an array of 1 to 5 of product'),
    ]);
  });

  it('shows only records that the caller may read', async () => {
    const owner = await StorePage.ofOwner(store);
    const brandId = await brand('a');
    await store.product();
    await read(store, 2);
    const kindsFor = async (groups: string[], input: object = {}) => {
      const { token } = await owner.data('POST', 'tokens', { name: 'x', scope: 'read', groups });
      const { body } = await store.call('list_changes', input, { token });
      if (body.error) return [body.error.code, body.error.message];
      return body.data.items.map(({ kind }: { kind: string }) => kind);
    };
    expect(await kindsFor(['brands'])).toEqual(['brand']);
    expect(await kindsFor(['list_products', 'update_stock'])).toEqual(['product']);
    expect(await kindsFor(['brands'], { kinds: ['brand', 'product'] })).toEqual([
      'forbidden',
      'kinds: product needs the group products, which this caller does not have',
    ]);
    expect(await kindsFor(['orders'])).toEqual([]);
    const other = await app.store();
    expect((await page(other)).items).toEqual([]);
    await app.query('delete from stores where id = $1', [store.id]);
    expect(await app.query('select 1 from record_changes where record_id = $1', [brandId])).toEqual([]);
  });

  it('waits for a change, without a place among the waiting afterwards', async () => {
    await brand('a');
    const { nextCursor } = await read(store, 1);
    const answer = page(store, { cursor: nextCursor, waitSeconds: 25 });
    const { waiting } = { waiting: () => app.nest.get(LongPoll).waiting };
    await eventually('a call waits', () => waiting() === 1);
    await brand('b');
    expect((await answer).items).toHaveLength(1);
    expect(waiting()).toBe(0);
  });

  it('gives a reader that begins with the oldest change a day to go on', async () => {
    const brands = [await brand('a'), await brand('b'), await brand('c')];
    await read(store, 3);
    clock.advance(30 * DAY_MS - HOUR_MS);
    const first = await page(store, { take: 1 });
    clock.advance(2 * HOUR_MS);
    const second = await page(store, { take: 1, cursor: first.nextCursor });
    expect([first, second].map(({ items }) => items[0].id)).toEqual(brands.slice(0, 2));
    // Who begins now begins with what is younger than 30 days.
    expect((await page(store)).items).toEqual([]);
    clock.advance(DAY_MS);
    expect(await store.call('list_changes', { cursor: second.nextCursor })).toMatchObject({ status: 400 });
  });

  it('refuses a cursor that is too old, of another server, or that it never gave out', async () => {
    await brand('a');
    const { nextCursor: cursor } = await read(store, 1);
    const refusalOf = async (given: string) => {
      const { status, body } = await store.call('list_changes', { cursor: given });
      return `${status} ${body.error?.message}`;
    };
    clock.advance(30 * DAY_MS);
    expect((await page(store, { cursor })).items).toEqual([]);
    clock.advance(DAY_MS);
    expect(await refusalOf(cursor)).toMatch(/^400 cursor is older than 30 days.*start anew/);
    clock.set(new Date());
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    const encoded = (...changed: unknown[]) => Buffer.from(JSON.stringify(changed)).toString('base64url');
    expect(await refusalOf(encoded('other', ...values.slice(1)))).toMatch(/^400 cursor is of another server/);
    const [server, epoch, xid, id, at] = values;
    for (const wrong of [
      'x',
      cursor.slice(0, -2),
      encoded(server, epoch, xid, id),
      encoded(server, 2 ** 31, xid, id, at),
      encoded(server, 0.5, xid, id, at),
      encoded(server, epoch, '-1', id, at),
      encoded(server, epoch, '9'.repeat(25), id, at),
      encoded(server, epoch, xid, '\0', at),
      encoded(server, epoch, xid, null, at),
    ])
      expect([wrong, await refusalOf(wrong)]).toEqual([
        wrong,
        expect.stringMatching(/^400 cursor is not one/),
      ]);
  });

  it('begins a new epoch with the feed of events, after all of its rows', async () => {
    await brand('a');
    await read(store, 1);
    await app.query(
      'update record_changes set epoch = 7, xid = (xid::text::bigint + 1000000000)::text::xid8',
    );
    await app.query('select begin_order_event_epoch()');
    const id = await brand('b');
    const { items } = await read(store, 2);
    expect(items[1].id).toBe(id);
  });
});

describe('readers that poll while transactions overlap', () => {
  it('learn of every change once, and of none that was rolled back', async () => {
    const app = await TestApp.start({ database: await ownDatabase(), env: { DATABASE_POOL: '40' } });
    const store = await app.store();
    const products = await Promise.all(Array.from({ length: 12 }, () => store.product()));
    const versions = async () =>
      new Map(
        (
          await app.query<{ id: string; at: string }>(
            'select id, updated_at::text as at from products where store_id = $1',
            [store.id],
          )
        ).map(({ id, at }) => [id, at]),
      );
    let committed = 0;
    const writer = async (id: string) => {
      for (let n = 0; n < 8; n++) {
        const fails = Math.random() < 0.2;
        const change = store.inside(async (ctx) => {
          await paced(Math.random() * 20);
          await app.nest.get(ProductsService).update(ctx, { id, title: `${id} ${n}` });
          await paced(Math.random() * (Math.random() < 0.1 ? 400 : 40));
          if (fails) throw new Error('rolled back');
        });
        const error = await change.catch((failure: Error) => failure);
        if (!error) committed++;
        else if (!fails) throw error;
      }
    };
    let isWriting = true;
    const poller = async (take: number) => {
      /** What the reader has fetched of each product, when it was told of it. */
      const copies = new Map<string, string>();
      let seen = 0;
      let cursor: string | undefined;
      let isSame = false;
      await eventually('the copies are what the products are', async () => {
        const next = await page(store, { take, ...(cursor ? { cursor } : {}) });
        cursor = next.nextCursor;
        seen += next.items.length;
        const now = await versions();
        for (const { id } of next.items) copies.set(id, now.get(id)!);
        isSame = next.items.length === 0 && [...now].every(([id, at]) => copies.get(id) === at);
        return !isWriting && isSame;
      });
      return seen;
    };
    const polling = Promise.all([poller(3), poller(100)]);
    await Promise.all(products.map(({ id }) => writer(id))).finally(() => (isWriting = false));
    for (const seen of await polling) {
      expect(seen).toBeGreaterThanOrEqual(products.length);
      expect(seen).toBeLessThanOrEqual(products.length + committed);
    }
    await app.stop();
  });
});
