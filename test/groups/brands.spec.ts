import { asRefusal } from '../../src/platform/errors.js';
import { ownerQuery, TestApp, TestClock, type TestStore } from '../support/test-app.js';
import {
  accepted,
  auditRows,
  count,
  expectInvalid,
  expectNotFound,
  type FieldCase,
  FLAG,
  freshSlug,
  refused,
  SLUG,
  text,
  WEB_URL,
  walk,
} from './catalog-fields.js';

const CREATE: FieldCase[] = [
  ['name', text(1, 200)],
  ['slug', SLUG],
  ['description', text(0, 2000)],
  ['logoUrl', WEB_URL],
  ['websiteUrl', WEB_URL],
  ['isActive', FLAG],
];
const UPDATE: FieldCase[] = [
  ['name', text(1, 200)],
  ['slug', SLUG],
  ['description', text(0, 2000), 'nullable'],
  ['logoUrl', WEB_URL, 'nullable'],
  ['websiteUrl', WEB_URL, 'nullable'],
  ['isActive', FLAG],
];
const FULL = {
  name: 'Acme',
  description: 'Tools & traps',
  logoUrl: 'https://acme.example/logo.svg',
  websiteUrl: 'https://acme.example',
  isActive: false,
};

describe('brands', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let app: TestApp;
  let store: TestStore;

  const create = (values: object = {}, of = store) => of.data('create_brand', { name: 'Acme', slug: freshSlug(), ...values });
  const productOf = async (brandId: string, of = store) => {
    const product = await of.product();
    await ownerQuery('update products set brand_id = $3 where store_id = $1 and id = $2', [of.id, product.id, brandId]);
    return product.id;
  };
  const brandIdOf = async (productId: string) =>
    (await ownerQuery<{ brand_id: string | null }>('select brand_id from products where id = $1', [productId]))[0].brand_id;

  beforeAll(async () => {
    app = await TestApp.start({ clock });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    store = await app.store();
  });

  it('are returned whole, with defaults for what is not given', async () => {
    const least = await store.data('create_brand', { name: 'Acme', slug: 'acme' }, { scope: 'write' });
    expect(least).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7[0-9a-f-]{21}$/),
      name: 'Acme',
      slug: 'acme',
      description: null,
      logoUrl: null,
      websiteUrl: null,
      isActive: true,
      createdAt: '2026-03-01T10:00:00.123Z',
      updatedAt: '2026-03-01T10:00:00.123Z',
    });
    const full = await create({ ...FULL, slug: 'acme-2' });
    expect(full).toMatchObject({ ...FULL, slug: 'acme-2' });
    expect(await store.data('get_brand', { id: least.id }, { scope: 'read' })).toEqual(least);
    expect(await store.data('list_brands', {}, { scope: 'read' })).toEqual({ items: [full, least], nextCursor: null });
  });

  it('need the scopes of the specification', async () => {
    expect((await store.call('create_brand', { name: 'a', slug: 'a' }, { scope: 'read' })).status).toBe(403);
    const { id } = await create();
    expect((await store.call('update_brand', { id }, { scope: 'read' })).status).toBe(403);
    expect((await store.call('update_brand', { id }, { scope: 'write' })).status).toBe(200);
    expect((await store.call('delete_brand', { id, confirm: true }, { scope: 'write' })).status).toBe(403);
    expect(await count(store, 'brands')).toBe(1);
  });

  it.each(accepted(CREATE))('create_brand takes %s %j', async (field, value) => {
    const brand = await create({ [field]: value });
    expect(brand[field]).toEqual(value);
    expect(await store.data('get_brand', { id: brand.id })).toEqual(brand);
  });

  it.each([...refused(CREATE), ['name', undefined], ['slug', undefined]])('create_brand refuses %s %j', async (field, value) => {
    expectInvalid(await store.call('create_brand', { name: 'Acme', slug: 'acme', [field as string]: value }), field as string);
    expect(await count(store, 'brands')).toBe(0);
    expect(await count(store, 'audit_log')).toBe(0);
  });

  it.each(accepted(UPDATE))('update_brand takes %s %j, and changes nothing else', async (field, value) => {
    const before = await create(FULL);
    clock.advance(1000);
    const after = await store.data('update_brand', { id: before.id, [field]: value });
    const updatedAt = value === before[field] ? before.updatedAt : clock.now().toISOString();
    expect(after).toEqual({ ...before, [field]: value, updatedAt });
    expect(await store.data('get_brand', { id: before.id })).toEqual(after);
  });

  it.each(refused(UPDATE))('update_brand refuses %s %j', async (field, value) => {
    const before = await create(FULL);
    clock.advance(1000);
    expectInvalid(await store.call('update_brand', { id: before.id, [field]: value }), field);
    expect(await store.data('get_brand', { id: before.id })).toEqual(before);
  });

  it.each(['storeId', 'createdAt', 'id', 'Name', '__proto__'])(
    'create_brand refuses the unknown property %s',
    async (property) => {
      expectInvalid(await store.call('create_brand', { name: 'Acme', slug: 'acme', [property]: 'x' }), property);
    },
  );

  it.each([
    ['get_brand', {}],
    ['update_brand', {}],
    ['delete_brand', { confirm: true }],
  ])('%s needs an id that is a string', async (operation, input) => {
    for (const id of [undefined, null, 5, ['a']]) expectInvalid(await store.call(operation, { ...input, id }), 'id');
  });

  it('has no brand of another store, nor of no store', async () => {
    const other = await app.store();
    const foreign = await create(FULL, other);
    for (const id of [foreign.id, '0198c5a4-0000-7000-8000-000000000000', 'nonsense', '', "'; drop table brands; --"]) {
      expectNotFound(await store.call('get_brand', { id }));
      expectNotFound(await store.call('update_brand', { id, name: 'Mine' }));
      expectNotFound(await store.call('delete_brand', { id, confirm: true }));
    }
    expect(await other.data('get_brand', { id: foreign.id })).toEqual(foreign);
    expect(await store.data('list_brands')).toEqual({ items: [], nextCursor: null });
    expect(await count(store, 'audit_log')).toBe(0);
  });

  describe('slugs', () => {
    it('are refused when another brand of the store has them', async () => {
      const first = await create({ slug: 'acme' });
      const second = await create({ slug: 'other' });
      expectInvalid(await store.call('create_brand', { name: 'Again', slug: 'acme' }), 'slug');
      expectInvalid(await store.call('update_brand', { id: second.id, name: 'Again', slug: 'acme' }), 'slug');
      expect(await store.data('get_brand', { id: second.id })).toEqual(second);
      expect((await store.data('update_brand', { id: first.id, slug: 'acme' })).slug).toBe('acme');
    });

    it('are free in another store, and for another kind of record', async () => {
      await create({ slug: 'acme' });
      await create({ slug: 'acme' }, await app.store());
      await store.data('create_category', { name: 'Acme', slug: 'acme' });
    });

    it('go to one of many that want them at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => store.call('create_brand', { name: `Acme ${i}`, slug: 'acme' })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 200)) expectInvalid(answer, 'slug');
      expect(await count(store, 'brands')).toBe(1);
      expect(await count(store, 'audit_log')).toBe(1);
    });

    it('are free again when their brand is deleted', async () => {
      const { id } = await create({ slug: 'acme' });
      await store.data('delete_brand', { id, confirm: true });
      await create({ slug: 'acme' });
    });
  });

  it('an update of nothing changes nothing, and is audited', async () => {
    const brand = await create(FULL);
    clock.advance(1000);
    expect(await store.data('update_brand', { id: brand.id })).toEqual(brand);
    expect(await store.data('update_brand', { id: brand.id, ...FULL })).toEqual(brand);
    const rows = await auditRows(store);
    expect(rows.slice(1)).toEqual([
      { operation: 'update_brand', target: `brand:${brand.id}`, input: { id: brand.id }, changes: {}, outcome: 'ok' },
      { operation: 'update_brand', target: `brand:${brand.id}`, input: { id: brand.id, ...FULL }, changes: {}, outcome: 'ok' },
    ]);
  });

  it('leave an audit row for each write, with before and after', async () => {
    const brand = await create({ name: 'Acme', slug: 'acme', description: 'Old' });
    const update = { id: brand.id, name: 'Acme & Co', description: null, isActive: true };
    const updated = await store.data('update_brand', update);
    await store.data('delete_brand', { id: brand.id, confirm: true });
    expect(await auditRows(store)).toEqual([
      {
        operation: 'create_brand',
        target: `brand:${brand.id}`,
        input: { name: 'Acme', slug: 'acme', description: 'Old' },
        changes: { name: [null, 'Acme'], slug: [null, 'acme'], description: [null, 'Old'] },
        outcome: 'ok',
      },
      {
        operation: 'update_brand',
        target: `brand:${brand.id}`,
        input: update,
        changes: { name: ['Acme', 'Acme & Co'], description: ['Old', null] },
        outcome: 'ok',
      },
      {
        operation: 'delete_brand',
        target: `brand:${brand.id}`,
        input: { id: brand.id, confirm: true },
        changes: Object.fromEntries(Object.entries(updated).map(([name, value]) => [name, [value, null]])),
        outcome: 'ok',
      },
    ]);
  });

  describe('deleting', () => {
    it('is done once, and only its own products lose their link', async () => {
      const [brand, kept] = [await create(), await create()];
      const [first, second, keeper] = [await productOf(brand.id), await productOf(brand.id), await productOf(kept.id)];
      expect(await store.data('delete_brand', { id: brand.id, confirm: true })).toEqual({ id: brand.id, deleted: true });
      expect(await Promise.all([first, second, keeper].map(brandIdOf))).toEqual([null, null, kept.id]);
      expectNotFound(await store.call('delete_brand', { id: brand.id, confirm: true }));
      expectNotFound(await store.call('get_brand', { id: brand.id }));
      expect((await store.data('list_brands')).items).toEqual([kept]);
    });

    it.each([undefined, false, null, 'true', 1])('is refused with confirm %j', async (confirm) => {
      const brand = await create();
      const product = await productOf(brand.id);
      expectInvalid(await store.call('delete_brand', { id: brand.id, confirm }), 'confirm');
      expect(await brandIdOf(product)).toBe(brand.id);
    });
  });

  it("a product cannot be linked to another store's brand", async () => {
    const foreign = await create({}, await app.store());
    const error = await productOf(foreign.id).catch((failure: unknown) => failure);
    expect(asRefusal(error)?.message).toBe('brandId is not a brand of this store');
  });

  describe('list_brands', () => {
    it('gives 20 by default, newest first', async () => {
      const made = [];
      for (let i = 0; i < 21; i++) made.unshift(await create());
      const page = await store.data('list_brands');
      expect(page.items).toEqual(made.slice(0, 20));
      expect(await store.data('list_brands', { cursor: page.nextCursor })).toEqual({ items: [made[20]], nextCursor: null });
      expect(await store.data('list_brands', { take: 21 })).toEqual({ items: made, nextCursor: null });
      expect((await store.data('list_brands', { take: 1 })).items).toEqual([made[0]]);
    });

    it('neither repeats nor skips a brand while others come and go', async () => {
      const made: any[] = [];
      for (let i = 0; i < 9; i++) made.unshift(await create());
      const doomed = [made[1], made[4], made[8]];
      const seen = await walk(store, 'list_brands', { take: 2 }, async () => {
        await create();
        const gone = doomed.shift();
        if (gone) await store.data('delete_brand', { id: gone.id, confirm: true });
      });
      const ids = seen.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const i of [0, 2, 3, 5, 6, 7]) expect(ids).toContain(made[i].id);
    });

    it.each([0, 101, 1.5, '20', null])('refuses take %j', async (take) => {
      expectInvalid(await store.call('list_brands', { take }), 'take');
    });

    it.each(['', 'nonsense', 'WyJhIl0', 'WzFd', 5, null])('refuses the cursor %j', async (cursor) => {
      expectInvalid(await store.call('list_brands', { cursor }), 'cursor');
    });

    it('takes 1 and 100', async () => {
      expect((await store.call('list_brands', { take: 1 })).status).toBe(200);
      expect((await store.call('list_brands', { take: 100 })).status).toBe(200);
    });
  });
});
