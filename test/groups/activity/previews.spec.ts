import pg from 'pg';
import { refusal, StorePage } from '../../doors/dashboard/browser.js';
import { randomUUID } from 'node:crypto';
import { BOUNDS } from '../../../src/platform/database/kept-bounds.service.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { type LiveChange, LiveChanges, REFETCH } from '../../../src/platform/store/live-changes.js';
import { eventually } from '../../support/eventually.js';
import { storeDump } from '../../support/database/store-dump.js';
import { CHANGES, EXAMPLES } from '../../support/examples.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { TestClock, type TestStore, useShopWithMessenger } from '../../support/test-app.js';

/** A change of a preview; the log has neither what it lost nor its label. */
interface Labelled {
  unlinked?: object;
  label?: string | null;
}

/** docs/behaviour.md §13.10 */
describe('a preview', () => {
  const clock = new TestClock();
  let store: TestStore;

  const { app, messenger } = useShopWithMessenger({ clock });
  beforeAll(async () => {
    store = await app.store();
    await app.query(
      `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
        values ($1, 'https://hook.example/', '', now(), now())`,
      [store.id],
    );
    app.nest.get(LiveChanges).watch(store.id, (change) => change !== REFETCH && heard.push(change));
  });

  const PREVIEWED = CHANGES.filter((name) => !['connect_bot', 'test_payment_provider'].includes(name));
  /** Everything of the store but previews. */
  const dump = async () => {
    const { previewed_changes: _, ...others } = await storeDump(app, store.id);
    return others;
  };
  /** Without ids and times, which the next run has others of. */
  const plain = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value)
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, 'id')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'),
    ) as unknown;
  const preview = async (operation: string, input?: object) =>
    store.data('preview_change', { operation, input: input ?? (await EXAMPLES[operation](store)) });
  const apply = (previewId: string, headers = {}) => store.call('apply_change', { previewId }, { headers });
  let heard: LiveChange[] = [];
  /** What the live stream has told since the last time; a marker is told last. */
  const heardAll = async () => {
    const title = randomUUID();
    await store.data('update_general', { title });
    await eventually('the marker is heard', () => heard.some(isMarker));
    const told = heard.filter((change) => !isMarker(change));
    heard = [];
    return told;
  };
  const isMarker = ({ operation, changed }: LiveChange) =>
    operation === 'update_general' && changed.includes('title');
  const refused = async (answer: ReturnType<TestStore['call']>) => {
    const { status, body } = await answer;
    return [status, body.error?.code];
  };

  it('is for every operation that changes something, except those that are named here', () => {
    const operations = app.nest.get(OperationRegistry).list();
    const none = operations.flatMap(({ name, preview: how }) => (how === 'none' ? [name] : []));
    expect(none).toEqual([
      ...['apply_change', 'connect_bot', 'preview_change', 'test_payment_provider', 'undo_change'],
    ]);
  });

  it.each(PREVIEWED)('of %s changes nothing, and nothing leaves the service', async (operation) => {
    const input = await EXAMPLES[operation](store);
    await heardAll();
    const [before, calls] = [await dump(), messenger.calls.length];
    const { answer, changes } = await preview(operation, input);
    expect(Object.keys(answer).length).toBeGreaterThan(0);
    expect(changes.length).toBeGreaterThan(0);
    expect(await dump()).toEqual(before);
    expect(messenger.calls).toHaveLength(calls);
    expect(await heardAll()).toEqual([]);
  });

  it.each(PREVIEWED)('of %s is what apply_change does, once', async (operation) => {
    const { previewId, answer, changes } = await preview(operation);
    const requestId = randomUUID();
    const first = await apply(previewId, { 'X-Request-Id': requestId });
    expect([operation, first.status, first.body.error]).toEqual([operation, 200, undefined]);
    const rows = await app.query<any>(
      `select operation, action, target, changes from audit_log
       where store_id = $1 and request_id = $2 order by id`,
      [store.id, requestId],
    );
    if (operation.startsWith('send_')) expect(first.body.data.recipientCount).toBe(answer.recipientCount);
    else {
      expect(plain(first.body.data)).toEqual(plain(answer));
      const made = changes.map(({ unlinked: _, label: __, ...change }: Labelled) => change);
      expect(plain(rows.map((row) => ({ ...row, changes: row.changes ?? {} })))).toEqual(plain(made));
    }
    const [before, calls] = [await dump(), messenger.calls.length];
    const second = await apply(previewId);
    expect([second.status, second.body]).toEqual([200, first.body]);
    if (operation.startsWith('send_')) return;
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await dump()).toEqual(before);
    expect(messenger.calls).toHaveLength(calls);
  });

  it('of ship_orders is answered where nobody is told, and where no order can be shipped', async () => {
    const { orderId } = (await EXAMPLES.ship_order(store)) as { orderId: number };
    const { answer } = await preview('ship_orders', { items: [{ orderId, carrier: 'DHL' }] });
    expect(answer).toMatchObject({ updated: 1, failed: 0, items: [{ orderId, status: 'SHIPPED' }] });
    const none = await preview('ship_orders', {
      items: [{ orderId: 999_999, carrier: 'DHL', notify: true }],
    });
    expect(none.answer).toMatchObject({ updated: 0, failed: 1 });
  });

  it('of a call for many records is counted, and is refused once one of the first is another', async () => {
    const { productId } = await store.product({ price: '10' });
    const orderIds: number[] = [];
    for (let i = 0; i < 25; i++)
      orderIds.push((await store.place({ items: [{ productId, quantity: 1 }] })).id as number);
    const many = () => preview('set_order_statuses', { orderIds, status: 'CANCELLED' });
    const { counted, answer, previewId } = await many();
    expect([counted, answer.updated, answer.items.length]).toEqual([25, 20, 20]);
    await store.data('set_order_status', { orderId: orderIds[3], status: 'DELIVERED' });
    expect(await refused(apply(previewId))).toEqual([412, 'precondition_failed']);
    const { body } = await apply((await many()).previewId);
    expect([body.data.updated, body.data.items.length]).toEqual([25, 25]);
  });

  it.each([
    ['delete_brand', 'brandId', 'create_brand'],
    ['delete_category', 'categoryId', 'create_category'],
  ])('of %s with many products is counted, and waits for no lock', async (operation, link, create) => {
    const { id } = await store.data(create, { name: 'Many', slug: 'many' });
    const column = link === 'brandId' ? 'brand_id' : 'category_id';
    await app.query(
      `insert into products (store_id, id, product_id, title, description, images, price, created_at,
         updated_at, ${column})
       select $1, gen_random_uuid(), $3 || n, 'Mug', '', '{}', 10, now(), now(), $2
       from generate_series(1, 2001) n`,
      [store.id, id, `many-${link}-`],
    );
    const { productId } = await store.product();
    const look = () => preview(operation, { id, confirm: true });
    const client = new pg.Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    let previewId = '';
    try {
      await client.query('begin');
      await client.query(`select from products where store_id = $1 and ${column} = $2 for update`, [
        ...[store.id, id],
      ]);
      const { counted, answer, changes, ...rest } = await look();
      ({ previewId } = rest);
      expect([counted, answer]).toEqual([2001, { id, deleted: true }]);
      expect(changes).toMatchObject([{ target: expect.stringContaining(id), unlinked: { products: 2001 } }]);
      expect(changes[0].changes.name).toEqual(['Many', null]);
    } finally {
      await client.query('rollback');
      await client.end();
    }
    await store.data('update_product', {
      id: (await store.data('get_product', { id: productId })).id,
      [link]: id,
    });
    expect(await refused(apply(previewId))).toEqual([412, 'precondition_failed']);
    const again = await look();
    expect(again.counted).toBe(2002);
    const { body } = await apply(again.previewId);
    expect(body.data).toEqual({ id, deleted: true });
    const left = await store.data('get_product', { id: productId });
    expect(left[link]).toBeNull();
  });

  it('of a campaign is of sending it, also without confirm', async () => {
    const { confirm: _, ...input } = await EXAMPLES.send_campaign(store);
    const { previewId, answer } = await preview('send_campaign', input);
    const outcome = { campaignId: expect.any(String), failed: 0, blocked: 0, failures: [] };
    expect(answer).toEqual({ ...outcome, recipientCount: answer.recipientCount, sent: 0 });
    expect(answer.recipientCount).toBeGreaterThan(0);
    const { length } = messenger.calls;
    const { data } = (await apply(previewId)).body;
    expect(data).toEqual({ ...outcome, recipientCount: answer.recipientCount, sent: answer.recipientCount });
    expect(messenger.calls.slice(length)).toHaveLength(answer.recipientCount);
  });

  it('of a call that would only preview is of the real one', async () => {
    const { id, productId } = await store.product();
    const input = { items: [{ productId, price: 7 }], preview: true };
    const { previewId, answer, changes } = await preview('update_prices', input);
    expect(answer).not.toHaveProperty('preview');
    expect(changes).toMatchObject([{ changes: { [`product:${id}.price`]: [expect.any(Number), 7] } }]);
    const { data } = (await apply(previewId)).body;
    expect(data).not.toHaveProperty('preview');
    expect((await store.data('get_product', { id })).price).toBe(7);
    // Where it is no field of the input it stays a mistake.
    const wrong = await store.call('preview_change', {
      operation: 'update_stocks',
      input: { items: [{ productId, delta: 1 }], preview: true },
    });
    expect(await refused(Promise.resolve(wrong))).toEqual([400, 'invalid_input']);
  });

  it('of a campaign that was just sent goes on with that, so nobody gets it twice', async () => {
    const input = { ...(await EXAMPLES.send_campaign(store)), confirm: true };
    const [first, second] = [await preview('send_campaign', input), await preview('send_campaign', input)];
    const { campaignId, ...totals } = (await apply(first.previewId)).body.data;
    const calls = messenger.calls.length;
    const again = (await apply(second.previewId)).body;
    expect(again.data).toEqual({ ...totals, campaignId, repeated: true });
    expect((await apply(first.previewId)).body.data).toEqual({ ...totals, campaignId });
    expect((await apply(second.previewId)).body).toEqual(again);
    expect(messenger.calls).toHaveLength(calls);
  });

  it('of a campaign is gone on with, whoever was reached and however long it had to wait', async () => {
    const input = { ...(await EXAMPLES.send_campaign(store)), confirm: true };
    const { previewId } = await preview('send_campaign', input);
    messenger.next('sendMessage', botApi.blocked(), botApi.tooManyRequests(900));
    const first = (await apply(previewId)).body.data;
    expect(first).toMatchObject({ recipientCount: 2, sent: 0, pending: 1 });
    clock.advance(20 * 60_000);
    const { data } = (await apply(previewId)).body;
    expect(data).toMatchObject({ campaignId: first.campaignId, recipientCount: 2, sent: 1 });
    expect(data).not.toHaveProperty('pending');
    const calls = messenger.calls.length;
    expect((await apply(previewId)).body.data).toEqual(data);
    expect(messenger.calls).toHaveLength(calls);
    clock.advance(24 * 3_600_000);
    expect(await refused(apply(previewId))).toEqual([404, 'not_found']);
  });

  it('is applied under a key of one call, as every other change', async () => {
    const [first, second] = await Promise.all(
      ['First', 'Second'].map(async (title) => (await preview('update_general', { title })).previewId),
    );
    const headers = { 'Idempotency-Key': 'of-the-first' };
    const answer = await apply(first, headers);
    expect((await apply(first, headers)).body).toEqual(answer.body);
    expect(await refused(apply(second, headers))).toEqual([400, 'invalid_input']);
    const other = store.call('update_general', { title: 'Other' }, { headers });
    expect(await refused(other)).toEqual([400, 'invalid_input']);
    const taken = { 'Idempotency-Key': 'of-another-change' };
    await store.call('update_general', { title: 'Another' }, { headers: taken });
    expect(await refused(apply(second, taken))).toEqual([400, 'invalid_input']);
    expect((await store.data('get_settings')).title).toBe('Another');
  });

  it('is applied whatever keys its caller uses', async () => {
    const previewed = async () => {
      const { previewId } = await preview('update_general', { title: randomUUID() });
      return { previewId, headers: { 'Idempotency-Key': `apply_change ${previewId}` } };
    };
    const first = await previewed();
    expect((await apply(first.previewId, first.headers)).status).toBe(200);
    const { previewId, headers } = await previewed();
    await store.call('adjust_bonus', await EXAMPLES.adjust_bonus(store), { headers });
    expect(await refused(apply(previewId, headers))).toEqual([400, 'invalid_input']);
    expect((await apply(previewId)).body.data).toHaveProperty('title');
  });

  it('is refused once the change would be another one, and then changes nothing', async () => {
    const { id } = await store.data('create_brand', { name: 'A', slug: 'precondition' });
    const { previewId, changes } = await preview('update_brand', { id, name: 'B' });
    expect(changes).toEqual([
      {
        ...{ operation: 'update_brand', action: null, target: `brand:${id}`, label: 'A' },
        changes: { name: ['A', 'B'] },
      },
    ]);
    await store.data('update_brand', { id, name: 'C' });
    const before = await dump();
    expect(await refused(apply(previewId))).toEqual([412, 'precondition_failed']);
    expect(await dump()).toEqual(before);
    await store.data('update_brand', { id, name: 'A' });
    expect((await apply(previewId)).body.data.name).toBe('B');
  });

  it('of a deletion tells what loses its link, and is refused once that would be others', async () => {
    const brand = await store.data('create_brand', { name: 'A', slug: 'unlinked' });
    const parent = await store.data('create_category', { name: 'A', slug: 'unlinked' });
    await store.data('create_category', { name: 'B', slug: 'child', parentId: parent.id });
    const [one, two] = [await store.product(), await store.product()];
    const link = (id: string, brandId: string | null, categoryId: string | null) =>
      store.data('update_product', { id, brandId, categoryId });
    const move = async (from: { id: string }, to: { id: string }) => {
      await link(from.id, null, null);
      await link(to.id, brand.id, parent.id);
    };
    await move(two, one);
    const deletions = [
      await preview('delete_brand', { id: brand.id, confirm: true }),
      await preview('delete_category', { id: parent.id, confirm: true }),
    ];
    expect(deletions.map(({ changes: [{ unlinked }] }) => unlinked)).toEqual([
      { products: 1 },
      { products: 1, categories: 1 },
    ]);
    await move(one, two);
    const before = await dump();
    for (const { previewId } of deletions)
      expect(await refused(apply(previewId))).toEqual([412, 'precondition_failed']);
    expect(await dump()).toEqual(before);
    await move(two, one);
    for (const { previewId } of deletions) expect((await apply(previewId)).status).toBe(200);
    const { items } = await store.data('list_activity', { target: `brand:${brand.id}` });
    expect(Object.keys(items[0].changes)).not.toContain('products');
  });

  it('is good for ten minutes and for its caller', async () => {
    const { previewId } = await preview('update_general', { title: 'Ten minutes' });
    const foreign = store.call('apply_change', { previewId }, { scope: 'write' });
    expect(await refused(foreign)).toEqual([404, 'not_found']);
    const elsewhere = (await app.store()).call('apply_change', { previewId });
    expect(await refused(elsewhere)).toEqual([404, 'not_found']);
    clock.advance(10 * 60_000);
    expect(await refused(apply(previewId))).toEqual([404, 'not_found']);
    expect(await refused(apply('no-preview'))).toEqual([404, 'not_found']);
  });

  it('is answered again by what its caller may do now', async () => {
    const owner = await StorePage.ofOwner(store);
    const staff = await StorePage.ofStaff(store, owner);
    const run = (operation: string, input: object) => staff.send('POST', `operations/${operation}`, input);
    const input = { operation: 'create_brand', input: { name: 'Once', slug: randomUUID() } };
    const { previewId } = (await run('preview_change', input)).body.data;
    const first = await run('apply_change', { previewId });
    expect((await run('apply_change', { previewId })).body).toEqual(first.body);
    await owner.data('PUT', `members/${staff.userId}`, { groups: ['orders'] });
    expect(await run('apply_change', { previewId })).toMatchObject(refusal(403, 'forbidden'));
  });

  it('refuses what the operation refuses, what is no change, and what cannot be tried', async () => {
    const before = await storeDump(app, store.id);
    const call = (operation: string, input: object = {}, options = {}) =>
      store.call('preview_change', { operation, input }, options);
    const bad = await call('create_brand', { name: 'A' });
    expect([bad.status, bad.body.error?.message]).toEqual([400, expect.stringContaining('slug')]);
    for (const name of [
      'get_brand',
      'no_such',
      'connect_bot',
      'preview_change',
      'apply_change',
      'undo_change',
    ])
      expect(await refused(call(name))).toEqual([400, 'invalid_input']);
    const deletion = { id: randomUUID(), confirm: true };
    expect(await refused(call('delete_brand', deletion))).toEqual([404, 'not_found']);
    expect(await refused(call('delete_brand', deletion, { scope: 'write' }))).toEqual([403, 'forbidden']);
    expect(await storeDump(app, store.id)).toEqual(before);
  });

  it('keeps its input sealed', async () => {
    await preview('update_general', { title: 'A title that nobody else has' });
    const rows = await app.query('select * from previewed_changes where store_id = $1', [store.id]);
    expect(JSON.stringify(rows)).not.toContain('A title that nobody else has');
  });

  it('is kept among so many of a store: the oldest of the caller who has most goes first', async () => {
    const others = store;
    store = await app.store();
    jest.replaceProperty(BOUNDS.previewed_changes, 'rows', 2);
    const ids = [];
    for (const title of ['a', 'b', 'c']) ids.push((await preview('update_general', { title })).previewId);
    jest.restoreAllMocks();
    const statuses = [];
    for (const id of ids) statuses.push((await apply(id)).status);
    expect(statuses).toEqual([404, 200, 412]);
    store = others;
  });

  it('may hold times that are near, and is applied by its id in either case', async () => {
    const soon = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
    const contest = {
      ...(await EXAMPLES.create_contest(store)),
      ...{ slug: 'near-times', startDate: soon(64), endDate: soon(100_000) },
    };
    const { previewId } = await preview('create_contest', contest);
    clock.advance(8_000);
    expect((await apply(previewId.toUpperCase())).status).toBe(200);
    expect((await apply(previewId)).status).toBe(200);
    const { items } = await store.data('list_contests', {});
    expect(items.filter(({ slug }: { slug: string }) => slug === contest.slug)).toHaveLength(1);
  });
});
