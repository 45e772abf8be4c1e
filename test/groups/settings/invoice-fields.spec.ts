import { InvoiceFields } from '../../../src/groups/invoice-fields/invoice-fields.service.js';
import { waitsForLock } from '../../support/database/waits-for-lock.js';
import { type TestStore, useShop } from '../../support/test-app.js';

const DEFAULTS = {
  needName: false,
  needPhoneNumber: false,
  needEmail: false,
  needShippingAddress: false,
  isFlexible: false,
  maxTipAmount: null,
  suggestedTipAmounts: [],
  updatedAt: null,
};
const SET = {
  needName: true,
  needPhoneNumber: true,
  needEmail: true,
  needShippingAddress: true,
  isFlexible: true,
  maxTipAmount: 2_000_000_000,
  suggestedTipAmounts: [1, 2_000_000_000, 1],
};
const FLAGS = ['needName', 'needPhoneNumber', 'needEmail', 'needShippingAddress', 'isFlexible'];

describe('invoice field configuration', () => {
  let store: TestStore;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
  });

  it('answers defaults while nothing is stored, also after an update of nothing', async () => {
    expect(await store.data('get_invoice_field_config', {}, { scope: 'read' })).toEqual(DEFAULTS);
    expect(await store.data('update_invoice_field_config', {}, { scope: 'write' })).toEqual(DEFAULTS);
  });

  it('stores all seven fields', async () => {
    const updated = await store.data('update_invoice_field_config', SET);
    expect(updated).toEqual({ ...SET, updatedAt: expect.any(String) });
    expect(await store.data('get_invoice_field_config')).toEqual(updated);
  });

  it.each(
    Object.entries({ ...DEFAULTS, updatedAt: undefined, suggestedTipAmounts: [7] }).filter(
      ([, value]) => value !== undefined,
    ),
  )('changes %s to %j alone and keeps the others', async (name, value) => {
    await store.data('update_invoice_field_config', SET);
    const updated = await store.data('update_invoice_field_config', { [name]: value });
    expect(updated).toEqual({ ...SET, [name]: value, updatedAt: expect.any(String) });
  });

  it('fills in defaults around the first update', async () => {
    expect(await store.data('update_invoice_field_config', { needEmail: true })).toEqual({
      ...DEFAULTS,
      needEmail: true,
      updatedAt: expect.any(String),
    });
  });

  it('lets both of two concurrent updates last', async () => {
    let second: Promise<any>;
    await store.inside(async (ctx) => {
      await app.nest.get(InvoiceFields).update(ctx, { needName: true, maxTipAmount: 5 });
      second = store.data('update_invoice_field_config', { needEmail: true });
      await waitsForLock(ctx);
    });
    await second!;
    expect(await store.data('get_invoice_field_config')).toMatchObject({
      needName: true,
      needEmail: true,
      maxTipAmount: 5,
    });
  });

  it('is stored separately for each store', async () => {
    await store.data('update_invoice_field_config', SET);
    expect(await (await app.store()).data('get_invoice_field_config')).toEqual(DEFAULTS);
  });

  const accepted: [string, unknown][] = [
    ...FLAGS.flatMap((name): [string, unknown][] => [
      [name, true],
      [name, false],
    ]),
    ...[1, 2_000_000_000, null].map((value): [string, unknown] => ['maxTipAmount', value]),
    ...[[], [1], [2_000_000_000], [5, 4, 3, 2, 1, 5]].map((value): [string, unknown] => [
      'suggestedTipAmounts',
      value,
    ]),
  ];
  it.each(accepted)('accepts %s %j', async (name, value) => {
    expect(await store.data('update_invoice_field_config', { [name]: value })).toMatchObject({
      [name]: value,
    });
  });

  const refused: [string, unknown][] = [
    ...FLAGS.flatMap((name) => [null, 'true', 0, 1, []].map((value): [string, unknown] => [name, value])),
    ...[0, -1, 2_000_000_001, 1.5, '5', true, []].map((value): [string, unknown] => ['maxTipAmount', value]),
    ...[null, 5, '5', {}, [0], [2_000_000_001], [1, 1.5], ['5'], [null], [[1]]].map(
      (value): [string, unknown] => ['suggestedTipAmounts', value],
    ),
    ['needAddress', true],
    ['updatedAt', null],
  ];
  it.each(refused)('refuses %s %j', async (name, value) => {
    const { status, body } = await store.call('update_invoice_field_config', {
      needName: true,
      [name]: value,
    });
    expect(status).toBe(400);
    expect(body.error).toEqual({
      code: 'invalid_input',
      message: expect.stringMatching(new RegExp(`^${name} `)),
    });
    expect(await store.data('get_invoice_field_config')).toEqual(DEFAULTS);
  });

  it('needs the write scope to update, and takes no input to get', async () => {
    expect((await store.call('update_invoice_field_config', SET, { scope: 'read' })).status).toBe(403);
    expect((await store.call('get_invoice_field_config', { needName: true })).status).toBe(400);
    expect(await store.data('get_invoice_field_config')).toEqual(DEFAULTS);
  });
});
