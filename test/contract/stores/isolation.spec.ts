import pg from 'pg';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { statement } from '../../../src/platform/database/statement.js';
import { Brand } from '../../../src/groups/brands/brand.entity.js';
import { EXAMPLES } from '../../support/examples.js';
import { otherStoreInputs } from '../../support/other-store-inputs.js';
import { storeDump } from '../../support/database/store-dump.js';
import { type Answer, type TestStore, useShopWithMessenger } from '../../support/test-app.js';

const OPERATIONS = Object.keys(EXAMPLES);
/**
 * A record that the operation itself is about: it is not found. Any other place refers to a record: that is
 * refused by its path.
 */
const OWN_ID = /^(id|orderId|productId|variantId|customerId|previewId|activityId|input\.id)$/;

/** One of many records, each of which is refused for itself. */
const ONE_OF_MANY = /^(?:items|orderIds)\[(\d+)\]/;

/** Where a search names a record to search by: one that is not in the store is refused, too. */
const REFERENCES = /^(brandId|categoryId)$/;

declare module '../../../src/platform/database/statements.generated.js' {
  interface Statements {
    test_count_orders: { parameters: object; row: { orders: number } };
  }
}

const COUNT_ORDERS = statement(
  'test_count_orders',
  'select count(*)::int as orders from orders where store_id = $store',
);

interface Query {
  name?: string;
  text: string;
  values?: unknown[];
}

/**
 * Switches the application's own filter off: what its statements compare `store_id` with becomes the victim's
 * id, while the setting that row-level security compares it with stays the caller's. Done to the statements
 * on their way out, since no code of ours may have a switch for it. They name the store in three ways:
 * - TypeORM's, and those of a transaction, by a parameter. The setting is a statement of its own there
 *   (set_store), left alone;
 * - reads outside a transaction carry the setting and take the filter from its result, so the text is changed
 *   there;
 * - an insert names no filter but the row's own store, which is left alone: it is not what keeps stores
 *   apart.
 * @param setting whose the session's setting is; the victim's only to prove that nothing but the setting is
 * left in the way
 */
function withoutOwnFilter(
  caller: TestStore,
  victim: TestStore,
  setting: 'caller' | 'victim' = 'caller',
): jest.SpyInstance {
  const swapped = (values: unknown[] = []) =>
    values.map((value) => (value === caller.id ? victim.id : value));
  const rewritten = ({ name, text, values }: Query): Query => {
    if (name === 'set_store') return { name, text, values: setting === 'victim' ? swapped(values) : values };
    if (name?.endsWith(':setting-store')) {
      const unfiltered = `(case when this_session.store is not null then '${victim.id}' end)::uuid`;
      return {
        name: `${name}:unfiltered`,
        text: text.replaceAll('this_session.store::uuid', unfiltered),
        values: setting === 'victim' ? swapped(values) : values,
      };
    }
    return /^\s*insert/i.test(text) ? { name, text, values } : { name, text, values: swapped(values) };
  };
  const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  return jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const { application_name } = (this as unknown as { connectionParameters: { application_name?: string } })
      .connectionParameters;
    // Tokens are looked up, and the test looks at the database, on other connections.
    if (!application_name?.startsWith('shop-store')) return query.apply(this, args);
    const [first, second, ...rest] = args;
    if (first instanceof pg.Query)
      return query.call(this, Object.assign(first, rewritten(first as unknown as Query)));
    if (typeof first === 'object')
      return query.call(this, { ...first, ...rewritten(first as Query) }, second, ...rest);
    if (!Array.isArray(second)) return query.apply(this, args);
    return query.call(this, first, rewritten({ text: String(first), values: second }).values, ...rest);
  } as never);
}

describe('another store', () => {
  let store: TestStore;
  let victim: TestStore;
  let lists: Set<string>;
  let reads: Set<string>;

  const { app } = useShopWithMessenger();
  beforeAll(async () => {
    [store, victim] = [await app.store(), await app.store()];
    const operations = app.nest.get(OperationRegistry).list();
    lists = new Set(operations.flatMap(({ name, list }) => (list ? [name] : [])));
    reads = new Set(operations.flatMap(({ name, scope }) => (scope === 'read' ? [name] : [])));
  });
  afterEach(() => jest.restoreAllMocks());

  /** What an answer to a caller who named the other store's record at `path` must be. */
  const expectNothing = (operation: string, path: string, { status, body }: Answer) => {
    const what = `${operation} ${path}: ${JSON.stringify(body)}`;
    const [, item] = ONE_OF_MANY.exec(path) ?? [];
    if (item !== undefined) {
      // Of many items each is refused for itself.
      const code = /\.(brandId|categoryId)$/.test(path) ? 'invalid_input' : 'not_found';
      expect([what, status, body.data.items[item].error?.code]).toEqual([what, 200, code]);
      expect(body.data.items[item].error.message).toMatch(/^(items\[\d+\]\.|Order \d+ was not found)/);
    } else if (OWN_ID.test(path)) expect([what, status, body.error?.code]).toEqual([what, 404, 'not_found']);
    else if (!lists.has(operation) || (!body.ok && REFERENCES.test(path))) {
      expect([what, status, body.error?.code]).toEqual([what, 400, 'invalid_input']);
      expect([what, body.error!.message.startsWith(path)]).toEqual([what, true]);
    } else if (operation === 'list_events') {
      // As a cursor that names no event of anybody.
      expect([what, status, body.error?.code]).toEqual([what, 400, 'invalid_input']);
    } else {
      expect([what, status]).toEqual([what, 200]);
      if (path !== 'cursor') expect(body.data).toEqual({ items: [], nextCursor: null });
    }
    // Every text of an example names its store.
    expect(JSON.stringify(body)).not.toContain(victim.id);
  };

  it.each(OPERATIONS)('is closed to %s, whichever id of the input belongs to it', async (operation) => {
    const { own, strange } = await otherStoreInputs(operation, store, victim);
    const before = await storeDump(app, victim.id);
    for (const { path, input } of strange) expectNothing(operation, path, await store.call(operation, input));
    const { status, body } = await store.call(operation, own);
    expect([operation, status]).toEqual([operation, 200]);
    expect(JSON.stringify(body)).not.toContain(victim.id);
    expect(await storeDump(app, victim.id)).toEqual(before);
  });

  it('is named at every place that takes an id', async () => {
    const places = [];
    for (const operation of OPERATIONS) {
      const { strange } = await otherStoreInputs(operation, store, victim);
      places.push(...strange.map(({ path }) => path));
    }
    expect(new Set(places)).toEqual(
      new Set([
        'id',
        'ids[0]',
        'orderId',
        'customerId',
        'productId',
        'variantId',
        'items[0].productId',
        'items[0].variantId',
        'brandId',
        'categoryId',
        'parentId',
        'cursor',
        'audience.customerIds[0]',
        'audience.customerIds[1]',
        'messages[0].customerId',
        'messages[1].customerId',
        'token',
        'target',
        'previewId',
        'activityId',
        'input.id',
        'orderIds[0]',
        'orderIds[1]',
        'items[0].orderId',
        'items[1].orderId',
        'items[0].id',
        'items[0].brandId',
        'items[0].categoryId',
        'items[1].id',
        'items[1].brandId',
        'items[1].categoryId',
      ]),
    );
    expect(places.length).toBeGreaterThanOrEqual(45);
  });

  describe('with our own filter off, by row-level security alone', () => {
    it('is what the filter names, and open once the setting names it too', async () => {
      const [{ input }] = (await otherStoreInputs('get_brand', store, victim)).strange;
      await otherStoreInputs('get_order', store, victim);
      const [{ orders }] = await victim.inside((ctx) => ctx.session.query(COUNT_ORDERS));
      const seen = () =>
        store.inside(async (ctx) => [
          (await ctx.session.read(COUNT_ORDERS))[0].orders,
          (await ctx.session.query(COUNT_ORDERS))[0].orders,
          (await ctx.rows(Brand).findById(input.id as string))?.id,
        ]);
      withoutOwnFilter(store, victim, 'victim');
      expect(await seen()).toEqual([orders, orders, input.id]);
      expect(orders).toBeGreaterThan(0);
      jest.restoreAllMocks();
      withoutOwnFilter(store, victim);
      expect(await seen()).toEqual([0, 0, undefined]);
    });

    it.each(OPERATIONS)('is closed to %s', async (operation) => {
      const { own, strange } = await otherStoreInputs(operation, store, victim);
      const before = await storeDump(app, victim.id);
      withoutOwnFilter(store, victim);
      for (const { path, input } of strange) {
        const answer = await store.call(operation, input);
        // A write that names the other store's record beside others may break over what it can no longer see;
        // it does not succeed.
        const [, item] = ONE_OF_MANY.exec(path) ?? [];
        if (reads.has(operation)) expectNothing(operation, path, answer);
        else if (item !== undefined)
          expect([path, answer.body.data.items[item].error]).toEqual([path, expect.anything()]);
        else expect([operation, path, answer.body.ok]).toEqual([operation, path, false]);
      }
      const { body } = await store.call(operation, own);
      expect(JSON.stringify(body)).not.toContain(victim.id);
      const nextCursor = operation === 'list_changes' ? expect.any(String) : null;
      if (lists.has(operation) && body.ok) expect(body.data).toEqual({ items: [], nextCursor });
      jest.restoreAllMocks();
      expect(await storeDump(app, victim.id)).toEqual(before);
    });

    it('is closed to a search of customers, which runs as the owner of the tables', async () => {
      await otherStoreInputs('get_customer', store, victim);
      const search = { search: 'business' };
      expect((await victim.data('list_customers', search)).items).not.toEqual([]);
      withoutOwnFilter(store, victim);
      expect(await store.data('list_customers', search)).toEqual({ items: [], nextCursor: null });
    });
  });
});
