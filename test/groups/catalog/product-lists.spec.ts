import { GET_PRODUCT, LIST_PRODUCTS, productNamed } from '../../../src/groups/products/product.statements.js';
import { ProductsService } from '../../../src/groups/products/products.service.js';
import type { StatementShape, ParametersOf, Statement } from '../../../src/platform/database/statement.js';
import { TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { FULL, leastProduct } from './product-inputs.js';

describe('lists of products', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let store: TestStore;

  const create = (values: object = {}, of = store) => of.data('create_product', leastProduct(values));

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
  });

  it('are paged, newest first, with the number of variants in place of the variants', async () => {
    const own = await app.store();
    const variants = [
      {
        optionTitle: 'Size',
        values: [
          { variantValue: 'S', price: 1 },
          { variantValue: 'M', price: 1 },
        ],
      },
      { optionTitle: 'Colour', values: [{ variantValue: 'Red', price: 1 }] },
    ];
    const made = [];
    for (let i = 0; i < 5; i++) made.unshift(await create(i === 2 ? { variants, ...FULL } : {}, own));
    const expected = made.map(({ variants: groups, warnings: _, ...product }) => ({
      ...product,
      variantCount: groups.length === 2 ? 3 : 0,
    }));
    expect(await own.data('list_products')).toEqual({ items: expected, nextCursor: null });
    const first = await own.data('list_products', { take: 2 });
    expect(first).toEqual({ items: expected.slice(0, 2), nextCursor: expect.any(String) });
    const fitting = await own.data('list_products', { take: 3, cursor: first.nextCursor });
    expect(fitting).toEqual({ items: expected.slice(2), nextCursor: null });
  });

  it('are read by one statement, whatever is on the page', async () => {
    const own = await app.store();
    const variants = [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 1 }] }];
    for (let i = 0; i < 10; i++) await create({ variants }, own);
    const texts: string[] = [];
    const page = await own.inside(async (ctx) => {
      const query = ctx.session.query.bind(ctx.session);
      const read = ctx.session.read.bind(ctx.session);
      const noted =
        (call: typeof query): typeof query =>
        (sql, ...given) => (texts.push(sql.name), call(sql, ...given));
      Object.assign(ctx.session, { query: noted(query), read: noted(read) });
      return app.nest.get(ProductsService).list(ctx, { take: 100 });
    });
    expect(page.items).toHaveLength(10);
    expect(texts).toEqual(['list_products']);
  });

  it('read as little for a late page as for the first', async () => {
    const own = await app.store();
    await app.query(
      `insert into products (store_id, id, product_id, title, description, images, price, created_at,
        updated_at)
         select $1, gen_random_uuid(), 'bulk-' || n, 'Mug', '', '{https://images.example/a.png}', 10, now(),
           now()
         from generate_series(1, 4000) n`,
      [own.id],
    );
    await app.query('analyze products');
    /** Pages of the database that a statement touches, run as the service runs it. */
    const blocks = async <Of extends StatementShape>(list: Statement<Of>, ...given: ParametersOf<Of>) => {
      const name = `test_explain_${list.name}`;
      const text = `explain (analyze, buffers, format json) ${list.settingStore}`;
      const explained = { ...list, name, text } as unknown as Statement<Explained<Of>>;
      const [row] = await own.inside((ctx) =>
        ctx.session.query(explained, ...(given as ParametersOf<Explained<Of>>)),
      );
      const { Plan: plan } = row['QUERY PLAN'][0];
      return { rows: plan['Actual Rows'], blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
    };
    const now = new Date();
    const page = { idBelow: 'ffffffff-ffff-ffff-ffff-ffffffffffff', take: 21, now };
    await blocks(LIST_PRODUCTS, page);
    const first = await blocks(LIST_PRODUCTS, page);
    const far = await blocks(LIST_PRODUCTS, { ...page, idBelow: '08000000-0000-0000-0000-000000000000' });
    expect([first.rows, far.rows]).toEqual([21, 21]);
    expect(far.blocks).toBeLessThan(first.blocks * 1.5);

    const { items } = await own.data('list_products', { take: 1 });
    for (const name of [items[0].id, items[0].productId]) {
      const one = await blocks(GET_PRODUCT, { ...productNamed(name), now });
      expect(one.rows).toBe(1);
      expect(one.blocks).toBeLessThan(20);
    }
  });
});

interface Explained<Of extends StatementShape> {
  parameters: Of['parameters'];
  row: { 'QUERY PLAN': { Plan: Record<string, number> }[] };
}
