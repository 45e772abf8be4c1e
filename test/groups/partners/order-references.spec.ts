import { TestClock, type TestStore, useShop } from '../../support/test-app.js';

describe('set_order_reference', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.000Z'));
  let store: TestStore;

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
  });

  let last = 0;
  const place = async (of = store, title = 'Mug') => {
    const { productId } = await of.data('create_product', {
      ...{ productId: `referenced-${++last}`, title, description: '', price: 10 },
      images: ['https://images.example/a.png'],
    });
    return of.place({ items: [{ productId, quantity: 1 }] });
  };
  const set = (orderId: number, given: object, of = store) =>
    of.data('set_order_reference', { orderId, ...given });
  const found = async (text: string, input: object = {}, of = store): Promise<number[]> =>
    (await of.data('find_orders', { text, ...input }, { scope: 'read' })).items.map(({ id }: any) => id);

  it('keeps what is not given, and clears what is null', async () => {
    const { id: orderId } = await place();
    const metadata = { warehouse: 'B2', lines: [{ shelf: 7, weight: 0.25 }], none: null };
    expect(await set(orderId, { externalId: 'SO-1' })).toEqual({
      orderId,
      externalId: 'SO-1',
      metadata: null,
    });
    expect(await set(orderId, { metadata })).toEqual({ orderId, externalId: 'SO-1', metadata });
    expect(await set(orderId, { externalId: null })).toEqual({ orderId, externalId: null, metadata });
    expect(await set(orderId, { externalId: 'SO-2', metadata: null })).toEqual({
      ...{ orderId, externalId: 'SO-2', metadata: null },
    });
    expect(await found('SO-1')).toEqual([]);
    expect(await found('SO-2')).toEqual([orderId]);
  });

  it('leaves the order as it is: its object, version and events', async () => {
    const before = await place();
    const { nextCursor: cursor } = await store.feed();
    await set(before.id, { externalId: 'SO-3', metadata: { a: 1 } });
    expect(await store.data('get_order', { orderId: before.id })).toEqual(before);
    expect((await store.data('list_events', { cursor })).items).toEqual([]);
  });

  it('is found by find_orders, which returns it, among orders whose text is the same', async () => {
    const orders = [];
    for (let i = 0; i < 5; i++) orders.push(await place(store, 'Lantern'));
    const other = await place();
    await set(other.id, { externalId: 'lantern' });
    const all = [other, ...orders.reverse()].map(({ id }) => id);
    for (const take of [2, 20]) {
      const walked: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.data('find_orders', { text: 'lantern', take, cursor });
        walked.push(...page.items.map(({ id }: any) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(walked).toEqual(all);
    }
    const { items } = await store.data('find_orders', { text: 'lantern', take: 2 });
    expect(items.map(({ externalId }: any) => externalId)).toEqual(['lantern', null]);
    expect(await found('lantern', { customerId: other.messengerUserId })).toContain(other.id);
    expect(await found('lantern', { statuses: ['SHIPPED'] })).toEqual([]);
    for (const sort of ['oldest', 'recently_updated', 'least_recently_updated'])
      expect(await found('lantern', { sort })).toHaveLength(6);
  });

  it('is found by its words, as other text is, and not by what it does not have', async () => {
    const { id } = await place();
    await set(id, { externalId: 'Rechnung Nr. 7/A' });
    for (const text of ['Rechnung Nr. 7/A', 'rechnung nr. 7/a', 'Rechnung'])
      expect([text, await found(text)]).toEqual([text, [id]]);
    expect(await found('Rechnung Nr. 7/B')).toEqual([]);
  });

  it("is a store's own: another store finds nothing, and sets nothing", async () => {
    const other = await app.store();
    const { id: orderId } = await place();
    await set(orderId, { externalId: 'SO-4' });
    expect(await found('SO-4', {}, other)).toEqual([]);
    const { status, body } = await other.call('set_order_reference', { orderId, externalId: 'SO-5' });
    expect([status, body.error!.code]).toEqual([404, 'not_found']);
    expect(await found('SO-4')).toEqual([orderId]);
  });

  it.each<[object, string]>([
    [{}, 'externalId: at least one of externalId, metadata is required'],
    [{ externalId: '' }, 'externalId must be'],
    [{ externalId: 'x'.repeat(201) }, 'externalId must be'],
    [{ externalId: 7 }, 'externalId must be'],
    [{ metadata: [] }, 'metadata must be an object'],
    [{ metadata: 'text' }, 'metadata must be an object'],
    [{ metadata: { text: 'x'.repeat(16_384) } }, 'metadata must be at most 16384 bytes of JSON'],
    [{ note: 'x' }, 'note'],
  ])('refuses %j', async (given, message) => {
    const { id: orderId } = await place();
    const { status, body } = await store.call('set_order_reference', { orderId, ...given });
    expect([status, body.error!.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is audited with its values, nothing if nothing changed, and undone', async () => {
    const { id: orderId } = await place();
    const metadata = { text: 'x'.repeat(5_000) };
    await set(orderId, { externalId: 'SO-6', metadata });
    await set(orderId, { externalId: 'SO-6' });
    await set(orderId, { externalId: 'SO-7', metadata: null });
    const { items } = await store.data('list_activity', { target: `order:${orderId}`, mine: true });
    const changes = items.map((row: any) => row.changes);
    expect(changes[1] ?? {}).toEqual({});
    expect(changes[0].externalId).toEqual(['SO-6', 'SO-7']);
    await store.data('undo_change', { activityId: items[0].id });
    expect(await set(orderId, { externalId: 'SO-6' })).toEqual({ orderId, externalId: 'SO-6', metadata });
  });

  it('keeps secrets of the metadata out of the audit log', async () => {
    const { id: orderId } = await place();
    const metadata = { apiKey: 'hidden-4711', shelf: 7 };
    expect((await set(orderId, { metadata })).metadata).toEqual(metadata);
    await set(orderId, { metadata: { ...metadata, apiKey: 'hidden-4712' } });
    const rows = await app.query<any>('select * from audit_log where store_id = $1 and target = $2', [
      store.id,
      `order:${orderId}`,
    ]);
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(rows)).not.toContain('hidden-');
    const { metadata: kept } = await set(orderId, { externalId: null });
    expect(kept).toEqual({ ...metadata, apiKey: 'hidden-4712' });
  });

  it('finds an order among very many through its index', async () => {
    const own = await app.store();
    const { id } = await place(own);
    await set(id, { externalId: 'SO-8' }, own);
    await app.query(
      `insert into customers (store_id, id, created_at, updated_at) values ($1, 9000, now(), now())`,
      [own.id],
    );
    await app.query(
      `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
         created_at, updated_at)
       select $1, next_order_id($1), 'PENDING', 'card', 100, 'USD', 9000, now(), now()
       from generate_series(1, 6000)`,
      [own.id],
    );
    await app.query('analyze orders');
    expect(await found('SO-8', {}, own)).toEqual([id]);
    const plan = await app.query<any>(
      `explain select o.id from orders o where o.store_id = '${own.id}' and o.external_id = 'SO-8'`,
    );
    expect(JSON.stringify(plan)).toContain('orders_of_reference');
  });
});
