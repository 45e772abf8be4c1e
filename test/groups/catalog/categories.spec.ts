import { CategoriesService } from '../../../src/groups/categories/categories.service.js';
import { asRefusal } from '../../../src/platform/errors.js';
import { waitsForLock } from '../../support/database/waits-for-lock.js';
import { type Answer, ownerQuery, TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { expectInvalid, expectNotFound, freshSlug, walk } from './catalog-fields.js';

describe('categories', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let store: TestStore;

  const create = (values: object = {}, of = store) =>
    of.data('create_category', { name: 'Shoes', slug: freshSlug(), ...values });
  const move = (id: string, parentId: string | null) => store.call('update_category', { id, parentId });
  const parentOf = async (id: string) => (await store.data('get_category', { id })).parentId as string | null;
  /** A chain of new categories, the root first. */
  const chain = async (length: number) => {
    const made: any[] = [];
    for (let i = 0; i < length; i++) made.push(await create(i === 0 ? {} : { parentId: made[i - 1].id }));
    return made;
  };

  const app = useShop({ clock });
  beforeEach(async () => {
    store = await app.store();
  });

  describe('the tree', () => {
    it("accepts a parent's id in any letter case, and stores it unchanged", async () => {
      const parent = await create();
      expect((await create({ parentId: parent.id.toUpperCase() })).parentId).toBe(parent.id);
      const child = await create();
      expect(
        (await store.data('update_category', { id: child.id, parentId: parent.id.toUpperCase() })).parentId,
      ).toBe(parent.id);
    });

    it('refuses a category as its own parent, also in capitals', async () => {
      const { id } = await create();
      for (const self of [id, id.toUpperCase()]) {
        expectInvalid(await move(id, self), 'parentId');
        expectInvalid(await move(self, id), 'parentId');
      }
      expect(await parentOf(id)).toBeNull();
    });

    it.each([1, 2, 3, 12])('refuses a circle over %i levels', async (depth) => {
      const made = await chain(depth + 1);
      expectInvalid(await move(made[0].id, made[depth].id), 'parentId');
      expect(await parentOf(made[0].id)).toBeNull();
    });

    it('moves a category anywhere else: to a sibling, up, to the root and back', async () => {
      const [root, a, b, c] = await chain(4);
      const sibling = await create({ parentId: root.id });
      for (const [id, parentId] of [
        [c.id, root.id],
        [a.id, sibling.id],
        [b.id, null],
        [root.id, b.id],
      ]) {
        expect((await move(id, parentId)).status).toBe(200);
        expect(await parentOf(id)).toBe(parentId);
      }
      expectInvalid(await move(b.id, a.id), 'parentId');
    });

    it('lets a move wait for the previous one and see its result', async () => {
      // The two share no row, so nothing but the tree's own lock can hold the second back.
      const [top, bottom] = await chain(2);
      const [otherTop, otherBottom] = await chain(2);
      let waiting: Promise<Answer> | undefined;
      await store.inside(async (ctx) => {
        await app.nest.get(CategoriesService).update(ctx, { id: top.id, parentId: otherBottom.id });
        waiting = move(otherTop.id, bottom.id);
        await waitsForLock(ctx);
      });
      expectInvalid(await waiting!, 'parentId');
      expect([await parentOf(top.id), await parentOf(otherTop.id)]).toEqual([otherBottom.id, null]);
    });

    it("does not wait for another store's moves", async () => {
      const other = await app.store();
      const [a, b] = [await create(), await create()];
      const [c, d] = [await create({}, other), await create({}, other)];
      await store.inside(async (ctx) => {
        await app.nest.get(CategoriesService).update(ctx, { id: a.id, parentId: b.id });
        expect((await other.call('update_category', { id: d.id, parentId: c.id })).status).toBe(200);
      });
    });

    it.each([2, 3, 6])('refuses one of %i simultaneous moves that would close a circle', async (size) => {
      for (let round = 0; round < 8; round++) {
        const ring: any[] = await Promise.all(Array.from({ length: size }, () => create()));
        const answers = await Promise.all(ring.map(({ id }, i) => move(id, ring[(i + 1) % size].id)));
        const refusals = answers.filter(({ status }) => status !== 200);
        expect(refusals).toHaveLength(1);
        expectInvalid(refusals[0], 'parentId');
      }
    });

    it('has no circle after many moves at random, made at once', async () => {
      const made: any[] = await Promise.all(Array.from({ length: 8 }, () => create()));
      const any = () => made[Math.floor(Math.random() * made.length)].id as string;
      for (let round = 0; round < 6; round++) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => move(any(), any())));
        expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
      }
      const rows = await ownerQuery<{ id: string; parent_id: string | null }>(
        'select id, parent_id from categories where store_id = $1',
        [store.id],
      );
      const parents = new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
      for (const { id } of made) {
        let above: string | null | undefined = id;
        for (let steps = 0; above; steps++) {
          expect(steps).toBeLessThan(made.length);
          above = parents.get(above);
        }
      }
    });

    it('a parent that is deleted meanwhile is refused or leaves a root, never an error of ours', async () => {
      for (let round = 0; round < 10; round++) {
        const [parent, child] = [await create(), await create()];
        const [moved, deleted, created] = await Promise.all([
          move(child.id, parent.id),
          store.call('delete_category', { id: parent.id, confirm: true }),
          store.call('create_category', { name: 'New', slug: freshSlug(), parentId: parent.id }),
        ]);
        expect(deleted.status).toBe(200);
        for (const answer of [moved, created]) if (answer.status !== 200) expectInvalid(answer, 'parentId');
        expect(await parentOf(child.id)).toBeNull();
      }
      expect(
        (await store.data('list_categories', { take: 100 })).items.every(
          (item: any) => item.parentId === null,
        ),
      ).toBe(true);
    });
  });

  describe('deleting', () => {
    it('is done once; children become roots with all below them, products lose the link', async () => {
      const [root, middle, leaf] = await chain(3);
      const kept = await create({ parentId: root.id });
      const products = [await store.product(), await store.product()];
      const link = 'update products set category_id = $3 where store_id = $1 and id = $2';
      await ownerQuery(link, [store.id, products[0].id, root.id]);
      await ownerQuery(link, [store.id, products[1].id, leaf.id]);
      clock.advance(1000);
      expect(await store.data('delete_category', { id: root.id, confirm: true })).toEqual({
        id: root.id,
        deleted: true,
      });
      expect(await store.data('get_category', { id: middle.id })).toEqual({
        ...middle,
        parentId: null,
        updatedAt: clock.now().toISOString(),
      });
      expect(await parentOf(kept.id)).toBeNull();
      expect(await parentOf(leaf.id)).toBe(middle.id);
      const links = await ownerQuery(
        'select category_id from products where store_id = $1 order by category_id',
        [store.id],
      );
      expect(links).toEqual([{ category_id: leaf.id }, { category_id: null }]);
      expectNotFound(await store.call('delete_category', { id: root.id, confirm: true }));
    });
  });

  it("neither a product nor a category can be linked to another store's category", async () => {
    const foreign = await create({}, await app.store());
    const [category, product] = [await create(), await store.product()];
    const link = (table: string, column: string, id: string) =>
      ownerQuery(`update ${table} set ${column} = $3 where store_id = $1 and id = $2`, [
        store.id,
        id,
        foreign.id,
      ]).catch((error: unknown) => asRefusal(error)?.message);
    expect(await link('products', 'category_id', product.id)).toBe(
      'categoryId is not a category of this store',
    );
    expect(await link('categories', 'parent_id', category.id)).toBe(
      'parentId is not a category of this store',
    );
  });

  describe('list_categories', () => {
    it('orders by sortOrder, then newest, page by page', async () => {
      const orders = [5, 0, 0, -3, 5, Number.MAX_SAFE_INTEGER, 0, -Number.MAX_SAFE_INTEGER, 5];
      const made: any[] = [];
      for (const sortOrder of orders) made.unshift(await create({ sortOrder }));
      const sorted = made.toSorted((a, b) => a.sortOrder - b.sortOrder);
      for (const take of [1, 2, 4, 9, 100])
        expect(await walk(store, 'list_categories', { take })).toEqual(sorted);
    });

    it('returns all categories, the roots, or the children of one', async () => {
      const [root, a] = await chain(2);
      const [b, other] = [await create({ parentId: root.id }), await create({ sortOrder: 1 })];
      const ids = async (input: object) =>
        (await walk(store, 'list_categories', { take: 1, ...input })).map(({ id }) => id);
      expect(await ids({})).toEqual([b.id, a.id, root.id, other.id]);
      expect(await ids({ parentId: null })).toEqual([root.id, other.id]);
      expect(await ids({ parentId: root.id })).toEqual([b.id, a.id]);
      expect(await ids({ parentId: root.id.toUpperCase() })).toEqual([b.id, a.id]);
      expect(await ids({ parentId: a.id })).toEqual([]);
      expect(await ids({ parentId: 'nonsense' })).toEqual([]);
      const { id, slug } = await create({});
      const bySlug = await store.call('list_categories', { parentId: slug });
      expect([bySlug.status, bySlug.body.error]).toEqual([
        400,
        {
          code: 'invalid_input',
          message: `parentId is not a category of this store: this is its slug, its id is ${id}`,
        },
      ]);
    });

    it('neither repeats nor skips a category while others come and go', async () => {
      const made: any[] = [];
      for (let i = 0; i < 9; i++) made.push(await create({ sortOrder: i % 3 }));
      const doomed = [made[0], made[4], made[8]];
      let round = 0;
      const seen = await walk(store, 'list_categories', { take: 2 }, async () => {
        await create({ sortOrder: round++ % 3 });
        const gone = doomed.shift();
        if (gone) await store.data('delete_category', { id: gone.id, confirm: true });
      });
      const ids = seen.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const i of [1, 2, 3, 5, 6, 7]) expect(ids).toContain(made[i].id);
    });

    it.each([
      ['parentId', 5],
      ['cursor', Buffer.from('["0","0198c5a4-0000-7000-8000-000000000000"]').toString('base64url')],
      ['cursor', Buffer.from('["0198c5a4-0000-7000-8000-000000000000"]').toString('base64url')],
    ])('refuses %s %j', async (field, value) => {
      expectInvalid(await store.call('list_categories', { [field]: value }), field);
    });
  });
});
