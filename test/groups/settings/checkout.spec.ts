import { CheckoutConfiguration } from '../../../src/groups/checkout/checkout-configuration.service.js';
import { evaluateCheckout } from '../../../src/groups/checkout/checkout-rules.js';
import { waitsForLock } from '../../support/database/waits-for-lock.js';
import { type TestStore, useShop } from '../../support/test-app.js';

const FIELD = { id: 'email', label: 'E-mail', type: 'email', required: true, defaultVisible: true };
const CONDITION = { dependsOn: 'email', operator: 'equals', action: 'show' };
const ADJUSTMENT = { operator: 'add', value: 2.5 };
const FILTER = { id: 'brand', label: 'Brand', enabled: true, order: 1, visibilityMode: 'always' };
const DEFAULTS = { mode: 'manual', fields: [], filters: [], updatedAt: null };

const field = (values: object) => ({ fields: [FIELD, { ...FIELD, ...values }] });
const condition = (values: object) => field({ conditions: [CONDITION, { ...CONDITION, ...values }] });
const adjustment = (values: object) => condition({ priceAdjustment: { ...ADJUSTMENT, ...values } });
const filter = (values: object) => ({ filters: [FILTER, { ...FILTER, ...values }] });
const without = (record: Record<string, unknown>, name: string) => ({ ...record, [name]: undefined });
const conditionPath = 'fields[1].conditions[1]';

describe('checkout', () => {
  let store: TestStore;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
  });

  it('answers defaults while nothing is stored', async () => {
    expect(await store.data('get_checkout', {}, { scope: 'read' })).toEqual(DEFAULTS);
  });

  it('returns what was stored, without absent properties', async () => {
    const fields = [
      FIELD,
      {
        ...FIELD,
        id: 'gift',
        type: 'select',
        placeholder: '',
        options: 'Yes\nNo',
        content: 'Wrap it?',
        messengerDataKey: 'phone',
        conditions: [
          { ...CONDITION, value: 'a@b.example', action: 'increase_price', priceAdjustment: ADJUSTMENT },
          { ...CONDITION, operator: 'is_empty', action: 'hide' },
        ],
      },
    ];
    const filters = [
      FILTER,
      { ...FILTER, id: 'sub_category', order: -0.5, visibilityMode: 'when_parent_has_value' },
    ];
    const updated = await store.data(
      'update_checkout',
      { mode: 'crypto', fields, filters },
      { scope: 'write' },
    );
    expect(updated).toEqual({
      mode: 'crypto',
      fields,
      filters,
      updatedAt: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/),
    });
    expect(await store.data('get_checkout')).toEqual(updated);
  });

  it('replaces a given array and keeps the rest', async () => {
    await store.data('update_checkout', {
      mode: 'native_payments',
      fields: [FIELD, { ...FIELD, id: 'b' }],
      filters: [FILTER],
    });
    expect(await store.data('update_checkout', { fields: [{ ...FIELD, id: 'c' }] })).toMatchObject({
      mode: 'native_payments',
      fields: [{ ...FIELD, id: 'c' }],
      filters: [FILTER],
    });
    expect(await store.data('update_checkout', { filters: [], mode: 'manual' })).toMatchObject({
      mode: 'manual',
      fields: [{ ...FIELD, id: 'c' }],
      filters: [],
    });
  });

  it('stores nothing for an update of nothing', async () => {
    expect(await store.data('update_checkout', {})).toEqual(DEFAULTS);
    const stored = await store.data('update_checkout', { fields: [FIELD] });
    expect(await store.data('update_checkout', {})).toEqual(stored);
  });

  it.each(['the first row', 'a stored row'])(
    'lets both of two concurrent updates last, with %s',
    async (before) => {
      if (before === 'a stored row') await store.data('update_checkout', { mode: 'crypto', fields: [FIELD] });
      let second: Promise<any>;
      await store.inside(async (ctx) => {
        await app.nest.get(CheckoutConfiguration).update(ctx, { filters: [FILTER as never] });
        second = store.data('update_checkout', { fields: [{ ...FIELD, id: 'late' }] });
        await waitsForLock(ctx);
      });
      await second!;
      expect(await store.data('get_checkout')).toMatchObject({ fields: [{ id: 'late' }], filters: [FILTER] });
    },
  );

  it('is stored separately for each store', async () => {
    await store.data('update_checkout', { mode: 'crypto', fields: [FIELD] });
    const other = await app.store();
    expect(await other.data('get_checkout')).toEqual(DEFAULTS);
    await other.data('update_checkout', { mode: 'native_payments' });
    expect(await store.data('get_checkout')).toMatchObject({ mode: 'crypto', fields: [FIELD] });
  });

  it('passes the stored form to the checkout rules', async () => {
    const priced = {
      ...CONDITION,
      value: 'a@b.example',
      action: 'increase_price',
      priceAdjustment: ADJUSTMENT,
    };
    await store.data('update_checkout', { fields: [{ ...FIELD, conditions: [priced] }] });
    const { mode, fields, filters } = await store.inside((ctx) =>
      app.nest.get(CheckoutConfiguration).current(ctx),
    );
    expect({ mode, filters }).toEqual({ mode: 'manual', filters: [] });
    const row = { id: 'email', label: 'E-mail', type: 'email', value: 'a@b.example' };
    expect(evaluateCheckout(fields, [row]).adjustments).toEqual([
      { fieldId: 'email', operator: 'add', value: 2.5 },
    ]);
    expect(evaluateCheckout(fields, []).problems).toHaveLength(1);
  });

  it('writes an audit row and needs the write scope', async () => {
    expect((await store.call('update_checkout', { mode: 'crypto' }, { scope: 'read' })).status).toBe(403);
    expect((await store.data('get_checkout')).updatedAt).toBeNull();
    await store.data('update_checkout', { mode: 'crypto' }, { scope: 'write' });
    const rows = await app.query(
      `select operation, input, outcome from audit_log where store_id = $1 order by id`,
      [store.id],
    );
    expect(rows).toEqual([
      { operation: 'update_checkout', input: expect.anything(), outcome: 'forbidden' },
      { operation: 'update_checkout', input: { mode: 'crypto' }, outcome: 'ok' },
    ]);
  });

  it('keeps what a payment_button carries for its provider out of the audit', async () => {
    const button = { id: 'pay', label: 'Pay', type: 'payment_button', required: false, defaultVisible: true };
    const note = { ...button, id: 'note', type: 'info', content: 'Hello' };
    await store.data('update_checkout', {
      fields: [{ ...button, content: '{"key":"sk_live_1"}', options: 'sk_live_2' }, note],
    });
    const [{ input }] = await app.query<any>(
      `select input from audit_log where store_id = $1 order by id desc limit 1`,
      [store.id],
    );
    expect(input.fields).toEqual([{ ...button, content: '[removed]', options: '[removed]' }, note]);
  });

  describe('accepts', () => {
    const each = (values: readonly string[], make: (value: string) => object) =>
      values.map((value) => make(value));
    const accepted: object[] = [
      ...each(['manual', 'native_payments', 'crypto'], (mode) => ({ mode })),
      ...each(
        [
          ...['text', 'email', 'phone', 'select', 'checkbox', 'textarea', 'date', 'label', 'warning', 'info'],
          ...['bonus_toggle', 'promocode_input', 'payment_button'],
        ],
        (type) => field({ type }),
      ),
      ...each(['equals', 'not_equals', 'contains', 'not_contains', 'is_empty', 'is_not_empty'], (operator) =>
        condition({ operator }),
      ),
      ...each(['show', 'hide', 'require', 'optional', 'increase_price', 'decrease_price'], (action) =>
        condition({ action }),
      ),
      ...each(['add', 'subtract'], (operator) => adjustment({ operator })),
      ...each(['username', 'phone'], (messengerDataKey) => field({ messengerDataKey })),
      ...each(['category', 'brand', 'sub_category'], (id) => filter({ id })),
      ...each(['always', 'when_parent_has_value'], (visibilityMode) => filter({ visibilityMode })),
      field({
        id: '',
        label: '',
        placeholder: '',
        options: '',
        content: '',
        conditions: [],
        required: false,
        defaultVisible: false,
      }),
      // Ids may repeat and dependencies need not exist: the form is the owner's.
      field({ id: FIELD.id }),
      condition({ dependsOn: 'nothing', value: '' }),
      ...[0, -1, 1e15, 0.1].map((value) => adjustment({ value })),
      ...[0, -1, 1.5].map((order) => filter({ order })),
      filter({ label: '', enabled: false }),
      { fields: [] },
      { filters: [] },
    ];

    it.each(accepted.map((input) => [JSON.stringify(input), input]))('%s', async (_, input) => {
      expect(await store.data('update_checkout', input)).toMatchObject(input as Record<string, unknown>);
    });
  });

  describe('refuses', () => {
    const wrong = (
      path: string,
      make: (values: object) => object,
      ...values: unknown[]
    ): [string, object][] => {
      const name = path.slice(path.lastIndexOf('.') + 1);
      return values.map((value) => [path, make({ [name]: value })]);
    };
    const text = [null, 5, true, [], {}];
    const flag = [null, 'true', 1, []];
    const number = [null, '1', true, []];
    const refused: [string, object][] = [
      ...wrong('mode', (values) => values, null, 'MANUAL', '', 1),
      ...wrong('fields', (values) => values, null, {}, 'x', [null], ['x'], [[]]),
      ...wrong('filters', (values) => values, null, {}, 'x', [null], [1]),
      ...wrong('fields[1].id', field, undefined, ...text),
      ...wrong('fields[1].label', field, undefined, ...text),
      ...wrong('fields[1].type', field, undefined, null, 'number', 'Text', 1),
      ...wrong('fields[1].required', field, undefined, ...flag),
      ...wrong('fields[1].defaultVisible', field, undefined, ...flag),
      ...wrong('fields[1].placeholder', field, ...text),
      ...wrong('fields[1].options', field, ...text),
      ...wrong('fields[1].content', field, ...text),
      ...wrong('fields[1].conditions', field, null, {}, 'x', [null]),
      ...wrong('fields[1].messengerDataKey', field, null, 'email', 1),
      ...wrong('fields[1].extra', field, 1, null),
      ...wrong(`${conditionPath}.dependsOn`, condition, undefined, ...text),
      ...wrong(`${conditionPath}.operator`, condition, undefined, null, 'equal', 1),
      ...wrong(`${conditionPath}.value`, condition, ...text),
      ...wrong(`${conditionPath}.action`, condition, undefined, null, 'shown', 1),
      ...wrong(`${conditionPath}.priceAdjustment`, condition, null, 5, [], 'x'),
      ...wrong(`${conditionPath}.extra`, condition, 1),
      ...wrong(`${conditionPath}.priceAdjustment.operator`, adjustment, undefined, null, 'multiply', 1),
      ...wrong(`${conditionPath}.priceAdjustment.value`, adjustment, undefined, ...number),
      ...wrong(`${conditionPath}.priceAdjustment.extra`, adjustment, 1),
      ...wrong('filters[1].id', filter, undefined, null, 'tag', 1),
      ...wrong('filters[1].label', filter, undefined, ...text),
      ...wrong('filters[1].enabled', filter, undefined, ...flag),
      ...wrong('filters[1].order', filter, undefined, ...number),
      ...wrong('filters[1].visibilityMode', filter, undefined, null, 'never', 1),
      ...wrong('filters[1].extra', filter, 1),
      ...wrong('extra', (values) => values, 1),
      [
        'fields[0].conditions[0].priceAdjustment.value',
        {
          fields: [
            { ...FIELD, conditions: [{ ...CONDITION, priceAdjustment: without(ADJUSTMENT, 'value') }] },
          ],
        },
      ],
    ];

    it.each(refused.map(([path, input]) => [path, JSON.stringify(input), input]))(
      '%s in %s',
      async (path, _, input) => {
        const { status, body } = await store.call('update_checkout', input);
        expect(status).toBe(400);
        expect(body).toEqual({ ok: false, error: { code: 'invalid_input', message: expect.any(String) } });
        expect(body.error!.message.startsWith(`${path as string} `)).toBe(true);
        expect(await store.data('get_checkout')).toEqual(DEFAULTS);
      },
    );

    it('names every bad field and what is allowed', async () => {
      const { body } = await store.call('update_checkout', {
        ...condition({ operator: 'like' }),
        filters: [{ ...FILTER, order: '1' }],
      });
      expect(body.error!.message).toBe(
        'fields[1].conditions[1].operator must be one of ' +
          'equals, not_equals, contains, not_contains, is_empty, is_not_empty; ' +
          'filters[0].order must be a number',
      );
    });

    it('any input to get_checkout', async () => {
      const { status, body } = await store.call('get_checkout', { mode: 'manual' });
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
    });
  });
});
