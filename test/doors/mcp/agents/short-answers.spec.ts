import { Ajv2020 } from 'ajv/dist/2020.js';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { type TestStore, useShop } from '../../../support/test-app.js';
import { envelopeOf, RawClient } from '../raw-client.js';

const MOST_TOKENS = 6_000;

/** docs/behaviour.md §8: answers that fit into a model's context. */
describe('an answer for a model', () => {
  const encoder = new Tiktoken(o200k);
  const tokens = (data: unknown) => encoder.encode(JSON.stringify({ ok: true, data })).length;
  let store: TestStore;
  let client: RawClient;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
    client = new RawClient(app, store.tokens.admin);
  });

  const call = async (name: string, input: object) => envelopeOf(await client.call(name, input)).data;
  const ordersOf = async (count: number) => {
    const { productId } = await store.product({ price: '12.25', itemAmount: 500 });
    const ids: number[] = [];
    for (let i = 0; i < count; i++)
      ids.push((await store.place({ items: [{ productId, quantity: 1 }] })).id as number);
    return ids;
  };
  const product = (productId: string, more: object = {}) => ({
    ...{ productId, title: `Product ${productId}`, description: 'x '.repeat(300), price: 10 },
    ...{ images: ['https://cdn.shop.example/a.jpg'], ...more },
  });

  it('to many items has those with errors and warnings, 20 in all, and how many more', async () => {
    const items = Array.from({ length: 60 }, (_, i) => product(`p-${i}`));
    items[40].price = -1;
    items[50] = product('p-50', { salePrice: 11 });
    const made = await call('create_products', { items });
    expect([made.updated, made.failed, made.items.length, made.more]).toEqual([59, 1, 20, 40]);
    const told = made.items.filter((item: any) => item.error ?? item.warnings);
    expect(told.map(({ index }: any) => index)).toEqual([40, 50]);
    expect(tokens(made)).toBeLessThan(MOST_TOKENS);
    const ids = (await store.data('list_products', { take: 100 })).items.map(({ id }: any) => id as string);
    const updates = ids.map((id: string) => ({ id, description: 'y '.repeat(300) }));
    const whole = await store.data('update_products', { items: updates });
    expect([whole.items.length, whole.more]).toEqual([59, undefined]);
    const shortened = await call('update_products', {
      items: updates.map((item: object) => ({ ...item, description: 'z '.repeat(300) })),
    });
    expect([shortened.items.length, shortened.more]).toEqual([20, 39]);
    const preview = await call('preview_change', {
      operation: 'update_products',
      input: { items: updates.slice(0, 20) },
    });
    expect(tokens(preview)).toBeLessThan(MOST_TOKENS);
  });

  it('of products without their variants is as long as over HTTP', async () => {
    await store.data('create_products', { items: Array.from({ length: 9 }, (_, i) => product(`q-${i}`)) });
    const input = { fields: ['description'], take: 9 };
    const found = await call('find_products', input);
    expect(found).toEqual(await store.data('find_products', input));
    expect(Object.keys(found.items[0]).sort()).toEqual(['description', 'id', 'productId']);
  });

  it('about cancelling many orders, its preview, and its undo fit', async () => {
    const orderIds = await ordersOf(60);
    const input = { orderIds, status: 'CANCELLED' };
    const preview = await call('preview_change', { operation: 'set_order_statuses', input });
    expect([preview.rows.length, preview.counted, preview.answer.updated]).toEqual([20, 60, 20]);
    expect(tokens(preview)).toBeLessThanOrEqual(2_800);
    const done = await call('apply_change', { previewId: preview.previewId });
    expect([done.updated, done.items.length, done.more]).toEqual([60, 20, 40]);
    const [{ id: activityId }] = (
      await store.data('list_activity', { operation: 'set_order_statuses', take: 1 })
    ).items;
    const activity = await call('list_activity', {});
    expect(tokens(activity)).toBeLessThan(MOST_TOKENS);
    const next = await call('list_activity', { cursor: activity.nextCursor });
    expect(next.items[0].id < activity.items.at(-1).id).toBe(true);
    const undone = await call('undo_change', { activityId });
    expect([undone.changes.length, undone.more]).toEqual([20, 40]);
  });

  it('about a product of many variants has 50 of them', async () => {
    const values = (option: string) =>
      Array.from({ length: 100 }, (_, i) => ({ variantValue: `${option}${i}`, price: 10 }));
    const { id } = await store.data(
      'create_product',
      product('big', { variants: [{ optionTitle: 'Size', values: values('s') }] }),
    );
    const got = await call('get_product', { id });
    expect([got.variants[0].values.length, got.moreVariants]).toEqual([50, 50]);
    const [found] = (await call('find_products', { text: 'big' })).items;
    expect([found.variants.length, found.moreVariants]).toEqual([50, 50]);
    expect((await store.data('get_product', { id })).variants[0].values).toHaveLength(100);
  });

  it('fits the whole output schemas', async () => {
    const full = new RawClient(app, store.tokens.admin, 'modern', '/mcp?outputs=full');
    const { tools } = (await full.send('tools/list')).messages[0].result;
    const orderIds = await ordersOf(25);
    for (const [name, input] of [
      ['set_order_statuses', { orderIds, status: 'PROCESSING' }],
      ['preview_change', { operation: 'set_order_statuses', input: { orderIds, status: 'SHIPPED' } }],
    ] as const) {
      const { outputSchema } = tools.find((tool: any) => tool.name === name);
      const { structuredContent } = await full.call(name, input);
      const { more, counted } = structuredContent.data as { more?: number; counted?: number };
      expect([name, (more ?? counted)! > 0]).toEqual([name, true]);
      const check = new Ajv2020({ strict: false, validateFormats: false });
      check.validate(outputSchema, structuredContent);
      expect([name, check.errors]).toEqual([name, null]);
    }
  });
});
