import pg from 'pg';
import { DELETION_BOUNDS } from '../../../src/groups/big-deletions.js';
import { asRefusal } from '../../../src/platform/errors.js';
import { ownerQuery, type TestStore, useShop } from '../../support/test-app.js';
import { freshSlug } from './catalog-fields.js';

/** What is a brand's own; what it has in common with other records is in records.spec.ts. */
describe('brands', () => {
  let store: TestStore;

  const create = (values: object = {}, of = store) =>
    of.data('create_brand', { name: 'Acme', slug: freshSlug(), ...values });
  const productOf = async (brandId: string) => {
    const product = await store.product();
    await ownerQuery('update products set brand_id = $3 where store_id = $1 and id = $2', [
      store.id,
      product.id,
      brandId,
    ]);
    return product.id;
  };
  const brandIdOf = async (productId: string) =>
    (
      await ownerQuery<{ brand_id: string | null }>('select brand_id from products where id = $1', [
        productId,
      ])
    )[0].brand_id;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  it('may have the slug of another kind of record', async () => {
    await create({ slug: 'acme' });
    await store.data('create_category', { name: 'Acme', slug: 'acme' });
  });

  it('leave their own products without the link when they are deleted, and change no others', async () => {
    const [brand, kept] = [await create(), await create()];
    const products = [await productOf(brand.id), await productOf(brand.id), await productOf(kept.id)];
    await store.data('delete_brand', { id: brand.id, confirm: true });
    expect(await Promise.all(products.map(brandIdOf))).toEqual([null, null, kept.id]);
  });

  it('stay while they have more products than can lose them at once', async () => {
    const brand = await create();
    const products = [await productOf(brand.id), await productOf(brand.id)];
    const remove = () => store.call('delete_brand', { id: brand.id, confirm: true });
    jest.replaceProperty(DELETION_BOUNDS, 'products', 1);
    const refused = await remove();
    jest.restoreAllMocks();
    expect([refused.status, refused.body.error!.code]).toEqual([400, 'invalid_input']);
    expect(refused.body.error!.message).toMatch(/^id is that of a brand with 2 products, .*update_products/);
    expect(await Promise.all(products.map(brandIdOf))).toEqual([brand.id, brand.id]);
    expect((await remove()).status).toBe(200);
  });

  it('are not deleted while others change their products, and the refusal says so', async () => {
    const brand = await create();
    const product = await productOf(brand.id);
    const others = new pg.Client({ connectionString: app.database.ownerUrl });
    await others.connect();
    await others.query('begin');
    await others.query('select from products where id = $1 for update', [product]);
    const input = { id: brand.id, confirm: true };
    const refused = await Promise.all([
      store.call('delete_brand', input),
      store.call('preview_change', { operation: 'delete_brand', input }),
    ]);
    await others.end();
    for (const { status, body } of refused) {
      expect(status).toBe(503);
      expect(body.error!.message).toMatch(/^Other calls are changing the same records/);
    }
    expect(await brandIdOf(product)).toBe(brand.id);
  });

  it('of another store cannot be linked to a product', async () => {
    const foreign = await create({}, await app.store());
    const error = await productOf(foreign.id).catch((failure: unknown) => failure);
    expect(asRefusal(error)?.message).toBe('brandId is not a brand of this store');
  });
});
