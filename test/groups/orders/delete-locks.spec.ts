import pg from 'pg';
import { waitsForLock } from '../../support/database/waits-for-lock.js';
import { ownerQuery, type TestStore, useShop } from '../../support/test-app.js';

/**
 * Carts lock their products in the order of their ids (docs/behaviour.md §6.6). Whoever else locks several
 * must do so too.
 */
describe('deleting what products belong to', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  /**
   * Two linked products; the one with the higher id stands first in the table, where a cascade would begin.
   */
  async function linked(column: string, id: string): Promise<{ lower: string; higher: string }> {
    const [lower, higher] = [(await store.product()).id, (await store.product()).id].sort();
    for (const product of [higher, lower]) {
      await ownerQuery(`update products set ${column} = $3 where store_id = $1 and id = $2`, [
        store.id,
        product,
        id,
      ]);
    }
    return { lower, higher };
  }

  it.each([
    ['brand', 'brand_id'],
    ['category', 'category_id'],
  ])('a %s locks its products in the same order as carts do', async (kind, column) => {
    const { id } = await store.data(`create_${kind}`, { name: 'Doomed', slug: `doomed-${kind}` });
    const { lower, higher } = await linked(column, id);
    const cart = new pg.Client({ connectionString: app.database.ownerUrl });
    await cart.connect();
    const lock = (product: string) =>
      cart.query('select from products where store_id = $1 and id = $2 for update nowait', [
        store.id,
        product,
      ]);
    await cart.query('begin');
    await lock(lower);
    const deleted = store.call(`delete_${kind}`, { id, confirm: true });
    await waitsForLock(cart);
    await lock(higher);
    await cart.query('commit').finally(() => cart.end());
    expect((await deleted).status).toBe(200);
    expect(
      await ownerQuery(`select from products where store_id = $1 and ${column} is not null`, [store.id]),
    ).toEqual([]);
  });
});
