import { type TestStore, useShop } from '../../support/test-app.js';

describe('set_customer_reference', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  let last = 0;
  const customer = async (of = store): Promise<{ id: string }> => {
    const id = String(700_000 + ++last);
    await app.query(
      'insert into customers (store_id, id, created_at, updated_at) values ($1, $2, now(), now())',
      [of.id, id],
    );
    return { id };
  };
  const set = (id: string, given: object, of = store) => of.data('set_customer_reference', { id, ...given });
  const found = async (text: string, input: object = {}, of = store): Promise<any[]> =>
    (await of.data('find_customers', { text, ...input }, { scope: 'read' })).items;

  it('keeps what is not given, clears what is null, and leaves the customer as it is', async () => {
    const { id } = await customer();
    const before = await store.data('get_customer', { id });
    const metadata = { priceList: 'B', discounts: [{ from: 7, rate: 0.25 }], none: null };
    expect(await set(id, { externalId: 'C-1' })).toEqual({ id, externalId: 'C-1', metadata: null });
    expect(await set(id, { metadata })).toEqual({ id, externalId: 'C-1', metadata });
    expect(await set(id, { externalId: null })).toEqual({ id, externalId: null, metadata });
    expect(await set(id, { externalId: 'C-2', metadata: null })).toEqual({
      ...{ id, externalId: 'C-2', metadata: null },
    });
    expect(await found('C-1')).toEqual([]);
    expect(await found('C-2')).toEqual([expect.objectContaining({ id, externalId: 'C-2' })]);
    expect(await store.data('get_customer', { id })).toEqual(before);
  });

  it('is found by its words, among customers whose names are the same text', async () => {
    const other = await customer();
    await set(other.id, { externalId: 'Lantern Ltd' });
    for (let i = 0; i < 3; i++) {
      const { id } = await customer();
      await store.data('update_customer', { id, firstName: 'Lantern', lastName: 'Ltd' });
    }
    for (const sort of ['newest', 'oldest', 'most_spent', 'recently_ordered']) {
      const walked: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.data('find_customers', { text: 'Lantern Ltd', take: 2, sort, cursor });
        expect(page.total).toBe(4);
        walked.push(...page.items.map(({ id }: any) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect([sort, walked.length, new Set(walked).size, walked.includes(other.id)]).toEqual([
        ...[sort, 4, 4, true],
      ]);
    }
    expect(await found('Lantern Ltd', { isBanned: true })).toEqual([]);
    for (const text of ['lantern ltd', 'Lantern'])
      expect((await found(text)).map(({ id }) => id)).toContain(other.id);
    expect(await found('Lantern Ltd 2')).toEqual([]);
  });

  it("is a store's own: another store finds nothing, and sets nothing", async () => {
    const other = await app.store();
    const { id } = await customer();
    await set(id, { externalId: 'C-4' });
    expect(await found('C-4', {}, other)).toEqual([]);
    for (const unknown of [id, 'C-4']) {
      const { status, body } = await other.call('set_customer_reference', { id: unknown, externalId: 'C-5' });
      expect([status, body.error!.code]).toEqual([404, 'not_found']);
    }
    expect(await found('C-4')).toHaveLength(1);
  });

  it.each<[object, string]>([
    [{}, 'at least one'],
    [{ externalId: '' }, 'externalId must be'],
    [{ externalId: 'x'.repeat(201) }, 'externalId must be'],
    [{ metadata: [] }, 'metadata must be an object'],
    [{ metadata: { text: 'x'.repeat(16_384) } }, 'metadata must be at most 16384 bytes of JSON'],
    [{ firstName: 'x' }, 'firstName'],
  ])('refuses %j', async (given, message) => {
    const { id } = await customer();
    const { status, body } = await store.call('set_customer_reference', { id, ...given });
    expect([status, body.error!.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is previewed, audited without secrets, and undone', async () => {
    const { id } = await customer();
    const metadata = { apiKey: 'hidden-4711', text: 'x'.repeat(5_000) };
    await set(id, { externalId: 'C-6', metadata });
    const operation = 'set_customer_reference';
    const preview = await store.data('preview_change', { operation, input: { id, externalId: 'C-7' } });
    expect(preview.changes[0].changes.externalId).toEqual(['C-6', 'C-7']);
    expect(await found('C-7')).toEqual([]);
    await set(id, { externalId: 'C-7' });
    const { items } = await store.data('list_activity', { target: `customer:${id}`, mine: true });
    expect(items[0].changes).toEqual({ externalId: ['C-6', 'C-7'] });
    expect(JSON.stringify(items)).not.toContain('hidden-');
    await store.data('undo_change', { activityId: items[0].id });
    expect(await set(id, { externalId: 'C-6' })).toEqual({ id, externalId: 'C-6', metadata });
  });

  it('finds a customer among very many through its index', async () => {
    const own = await app.store();
    const { id } = await customer(own);
    await set(id, { externalId: 'C-8' }, own);
    await app.query(
      `insert into customers (store_id, id, created_at, updated_at)
       select $1, 900000 + n, now(), now() from generate_series(1, 6000) n`,
      [own.id],
    );
    await app.query('analyze customers');
    expect((await found('C-8', {}, own)).map((row) => row.id)).toEqual([id]);
    const plan = await app.query<any>(
      `explain select c.id from customers c where c.store_id = '${own.id}' and c.external_id = 'C-8'`,
    );
    expect(JSON.stringify(plan)).toContain('customers_of_reference');
  });
});
