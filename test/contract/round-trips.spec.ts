import { fields } from '../../src/platform/schema/field-spec.js';
import type { OperationSpec } from '../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { EXAMPLES } from '../support/examples.js';
import { type TestStore, useShopWithMessenger } from '../support/test-app.js';

type Values = Record<string, any>;

/**
 * What reads the record that an update changes, where its name does not say it; null: nothing returns its
 * whole input.
 */
const READ_BY: Record<string, string | null> = {
  update_general: 'get_settings',
  update_promocode: 'list_promocodes',
  update_variant: 'list_variants',
  update_stock: null,
  update_stocks: null,
  update_prices: null,
  update_products: null,
};
const UPDATES = Object.keys(EXAMPLES).filter((name) => name.startsWith('update_') && READ_BY[name] !== null);

describe('what a get returns', () => {
  let store: TestStore;
  let operations: Map<string, OperationSpec>;

  const { app } = useShopWithMessenger();
  beforeAll(async () => {
    const specs = app.nest.get(OperationRegistry).list();
    operations = new Map(specs.map((spec) => [spec.name, spec]));
  });
  beforeEach(async () => {
    store = await app.store();
  });

  const read = async (update: string, { id }: Values): Promise<Values> => {
    const getter = READ_BY[update] ?? update.replace('update_', 'get_');
    expect([update, operations.has(getter)]).toEqual([update, true]);
    if (!getter.startsWith('list_')) return store.data(getter, id === undefined ? {} : { id });
    const productId = getter === 'list_variants' ? await productOf(id) : undefined;
    const { items } = await store.data(getter, productId ? { productId } : {});
    return items.find((item: Values) => item.id === id);
  };
  const productOf = async (variantId: string) => {
    const [{ product_id }] = await app.query<{ product_id: string }>(
      'select product_id from variants where id = $1',
      [variantId],
    );
    return product_id;
  };
  /** Every field of the update's input that the record has, as the record has it. */
  const inputFrom = (update: string, record: Values): Values =>
    Object.fromEntries(
      fields(operations.get(update)!.input)
        .filter(({ name }) => Object.hasOwn(record, name))
        .map(({ name }) => [name, record[name]]),
    );
  const goesBack = async (update: string, record: Values) => {
    const { status, body } = await store.call(update, inputFrom(update, record));
    expect([update, status, body.error]).toEqual([update, 200, undefined]);
    const changing = ['updatedAt', 'warnings'];
    const strip = (values: Values) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => !changing.includes(name)));
    expect(strip(await read(update, record))).toEqual(strip(record));
  };

  it.each(UPDATES)('is accepted by %s, after its own example', async (update) => {
    const input = await EXAMPLES[update](store);
    await store.data(update, input);
    const record = await read(update, input);
    const taken = Object.keys(inputFrom(update, record));
    const withheld = fields(operations.get(update)!.input).flatMap(({ name, secret }) =>
      secret === true ? [name] : [],
    );
    const missing = fields(operations.get(update)!.input).flatMap(({ name }) =>
      taken.includes(name) ? [] : [name],
    );
    expect([update, missing]).toEqual([update, withheld]);
    await goesBack(update, record);
  });

  it.each(
    UPDATES.filter(
      (name) => !/_(brand|category|contest|product|promocode|payment_provider|variant|customer)$/.test(name),
    ),
  )('is accepted by %s while nothing is stored', async (update) => {
    await goesBack(update, await read(update, {}));
  });

  it.each(
    UPDATES.filter((name) => name.replace('update_', 'create_') in EXAMPLES && name !== 'update_variant'),
  )('is accepted by %s for a record with only its required fields', async (update) => {
    const create = operations.get(update.replace('update_', 'create_'))!;
    const example = await EXAMPLES[create.name](store);
    const least = fields(create.input).flatMap(({ name, optional }) =>
      optional ? [] : [[name, example[name]]],
    );
    const { id } = await store.data(create.name, Object.fromEntries(least));
    await goesBack(update, await read(update, { id }));
  });
});
