import type { OperationSpec } from '../../src/platform/call/endpoint.js';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { EXAMPLES } from '../support/examples.js';
import { storeDump } from '../support/database/store-dump.js';
import { TestClock, type TestStore, useShopWithMessenger } from '../support/test-app.js';

type Input = Record<string, any>;

describe('If-Match', () => {
  const clock = new TestClock(new Date('2026-05-01T12:00:00.000Z'));
  let store: TestStore;
  let specs: Map<string, OperationSpec>;

  const { app } = useShopWithMessenger({ clock });
  beforeAll(async () => {
    store = await app.store();
    specs = new Map(
      app.nest
        .get(OperationRegistry)
        .list()
        .map((spec) => [spec.name, spec]),
    );
  });

  const GUARDED = [
    ...[
      'update_brand',
      'delete_brand',
      'update_category',
      'delete_category',
      'update_contest',
      'delete_contest',
    ],
    ...[
      'update_promocode',
      'toggle_promocode',
      'delete_promocode',
      'update_product',
      'delete_product',
      'update_variant',
    ],
    ...['update_stock', 'update_customer', 'update_monetization', 'update_checkout', 'update_general'],
    ...['update_invoice_field_config', 'update_payment_provider', 'delete_payment_provider'],
    ...['update_welcome_message', 'delete_variant'],
    ...['set_order_status', 'ship_order', 'add_order_note', 'refund_order', 'delete_order'],
  ];
  const SINGLE: Record<string, string> = {
    update_monetization: 'get_monetization',
    update_checkout: 'get_checkout',
    update_general: 'get_settings',
    update_welcome_message: 'get_welcome_message',
    update_invoice_field_config: 'get_invoice_field_config',
  };

  /** The record's `updatedAt`, as a caller learns it. */
  const versionOf = async (operation: string, input: Input): Promise<string> => {
    if (SINGLE[operation]) return (await store.data(SINGLE[operation])).updatedAt;
    if (input.orderId) return (await store.data('get_order', { orderId: input.orderId })).updatedAt;
    const { id, productId } = input;
    // An update of nothing changes nothing, and answers the variant.
    if (operation === 'update_stock')
      return (await store.data('update_variant', { id: input.variantId })).updatedAt;
    if (operation.endsWith('_variant')) return (await store.data('update_variant', { id })).updatedAt;
    if (operation.endsWith('_promocode')) {
      const { items } = await store.data('list_promocodes', { take: 100 });
      return items.find((promocode: Input) => promocode.id === id).updatedAt;
    }
    return (await store.data(operation.replace(/^[a-z]+/, 'get'), { id: id ?? productId })).updatedAt;
  };
  const call = (operation: string, input: Input, version: string) =>
    store.call(operation, input, { headers: { 'If-Match': version } });
  const shifted = (version: string, ms: number) => new Date(Date.parse(version) + ms).toISOString();
  const prepared = async (operation: string) => {
    const input = await EXAMPLES[operation](store);
    if (SINGLE[operation]) await store.data(operation, input);
    return { input, version: await versionOf(operation, input) };
  };

  it('is honoured by exactly these operations', () => {
    expect([...specs.values()].flatMap(({ name, ifMatch }) => (ifMatch ? [name] : []))).toEqual(
      [...GUARDED].sort(),
    );
  });

  it.each(GUARDED)('lets %s pass with the version last seen, and no other', async (operation) => {
    const { input, version } = await prepared(operation);
    const before = await storeDump(app, store.id);
    for (const other of [shifted(version, -1), shifted(version, 1), '2001-01-01T00:00:00+01:00']) {
      const { status, body } = await call(operation, input, other);
      expect([status, body.error?.code]).toEqual([412, 'precondition_failed']);
      expect(body.error!.message).toContain(version);
    }
    for (const malformed of ['', '*', 'yesterday', `W/"${version}"`, '1777636800000', version.slice(0, -1)]) {
      const { status, body } = await call(operation, input, malformed);
      expect([malformed, status, body.error?.code]).toEqual([malformed, 400, 'invalid_input']);
      expect(body.error!.message).toMatch(/^If-Match must be/);
    }
    expect(await storeDump(app, store.id)).toEqual(before);
    expect(await call(operation, input, `"${version}"`)).toMatchObject({ status: 200 });
  });

  // The clock stands still here: versions must rise nevertheless.
  it.each(GUARDED.filter((name) => !/^delete_|add_order_note/.test(name)))(
    'has %s make a new version each time',
    async (operation) => {
      const { input, version } = await prepared(operation);
      expect(await call(operation, input, version)).toMatchObject({ status: 200 });
      const next = await versionOf(operation, input);
      expect(Date.parse(next)).toBeGreaterThan(Date.parse(version));
      expect(await call(operation, input, version)).toMatchObject({ status: 412 });
      expect(await call(operation, input, next)).toMatchObject({ status: 200 });
    },
  );

  it('is refused by what cannot honour it', async () => {
    const others = [...specs.keys()].filter((name) => !GUARDED.includes(name));
    expect(others.length).toBeGreaterThan(30);
    for (const operation of others) {
      const input = await EXAMPLES[operation](store);
      const before = await storeDump(app, store.id);
      const { status, body } = await call(operation, input, clock.now().toISOString());
      expect([operation, status, body.error]).toEqual([
        operation,
        400,
        { code: 'invalid_input', message: `If-Match is not supported by ${operation}` },
      ]);
      expect(await storeDump(app, store.id)).toEqual(before);
    }
  });

  it('sees what orders take from the stock that it sets, and what people give as bonus', async () => {
    const { variants: _, ...plain } = (await EXAMPLES.create_product(store)) as Record<string, unknown>;
    const { id, productId } = await store.data('create_product', { ...plain, itemAmount: 5 });
    const [product, customer] = [
      await versionOf('update_product', { id }),
      await EXAMPLES.update_customer(store),
    ];
    const before = await versionOf('update_customer', customer);
    await store.place({ items: [{ productId, quantity: 1 }] });
    await store.data('adjust_bonus', { customerId: customer.id, delta: 1 });
    expect(await call('update_product', { id, itemAmount: 9 }, product)).toMatchObject({ status: 412 });
    expect(await call('update_customer', customer, before)).toMatchObject({ status: 412 });
  });
});
