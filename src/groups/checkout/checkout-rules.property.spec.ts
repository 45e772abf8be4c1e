import fc from 'fast-check';
import { evaluateCheckout } from './checkout-rules.js';
import type { CheckoutCondition, CheckoutField, CheckoutRow } from './checkout-rules.js';
import type { CheckoutFieldType } from './checkout-value.js';

const field = (id: string, change: Partial<CheckoutField> = {}): CheckoutField => ({
  id,
  label: id.toUpperCase(),
  type: 'text',
  required: false,
  defaultVisible: true,
  ...change,
});
const row = (id: string, value: unknown): CheckoutRow => ({ id, label: id, type: 'text', value });
const when = (
  dependsOn: string,
  action: CheckoutCondition['action'],
  change: Partial<CheckoutCondition> = {},
): CheckoutCondition => ({
  dependsOn,
  operator: 'is_not_empty',
  action,
  ...change,
});
const visible = (fields: CheckoutField[], rows: CheckoutRow[]) =>
  [...evaluateCheckout(fields, rows).visible].sort().join();

describe('operators', () => {
  const shown = (
    operator: CheckoutCondition['operator'],
    type: CheckoutFieldType,
    value: string,
    answer: unknown,
  ) =>
    visible(
      [
        field('a', { type }),
        field('b', { defaultVisible: false, conditions: [when('a', 'show', { operator, value })] }),
      ],
      [row('a', answer)],
    );

  it('come in opposite pairs', () => {
    const pairs = fc.constantFrom(
      ['equals', 'not_equals'] as const,
      ['contains', 'not_contains'] as const,
      ['is_empty', 'is_not_empty'] as const,
    );
    const types = fc.constantFrom<CheckoutFieldType>('text', 'checkbox', 'info');
    const answers = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(pairs, types, fc.string(), answers, ([one, other], type, value, answer) => {
        expect([shown(one, type, value, answer), shown(other, type, value, answer)].sort()).toEqual([
          'a',
          'a,b',
        ]);
      }),
    );
  });
});

describe('visibility', () => {
  it('does not depend on the order of the fields, if there is no circle', () => {
    // Each field depends only on earlier ones, so every permutation has the same result.
    const chains = fc.array(
      fc.record({
        to: fc.nat(),
        action: fc.constantFrom('show' as const, 'hide' as const),
        defaultVisible: fc.boolean(),
        answered: fc.boolean(),
      }),
      { minLength: 2, maxLength: 8 },
    );
    fc.assert(
      fc.property(chains, fc.infiniteStream(fc.nat()), (links, keys) => {
        const fields = links.map(({ to, action, defaultVisible }, n) =>
          field(`f${n}`, { defaultVisible, conditions: n === 0 ? [] : [when(`f${to % n}`, action)] }),
        );
        const rows = links.flatMap(({ answered }, n) => (answered ? [row(`f${n}`, 'x')] : []));
        const shuffled = fields.map((each) => ({ each, key: keys.next().value as number }));
        shuffled.sort((one, other) => one.key - other.key);
        const moved = shuffled.map(({ each }) => each);
        expect(visible(moved, rows)).toBe(visible(fields, rows));
      }),
    );
  });
});

describe('any form', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd');
  const types = fc.constantFrom<CheckoutFieldType>(
    'text',
    'email',
    'checkbox',
    'select',
    'info',
    'payment_button',
  );
  const conditions = fc.array(
    fc.record({
      dependsOn: ids,
      operator: fc.constantFrom(
        'equals' as const,
        'contains' as const,
        'is_empty' as const,
        'is_not_empty' as const,
      ),
      value: fc.constantFrom(undefined, '', 'x', 'true'),
      action: fc.constantFrom(
        'show' as const,
        'hide' as const,
        'require' as const,
        'optional' as const,
        'increase_price' as const,
      ),
      priceAdjustment: fc.option(
        fc.record({ operator: fc.constantFrom('add' as const, 'subtract' as const), value: fc.integer() }),
      ),
    }),
    { maxLength: 4 },
  );
  const fields = fc.array(
    fc.record({
      id: ids,
      label: ids,
      type: types,
      required: fc.boolean(),
      defaultVisible: fc.boolean(),
      conditions,
    }),
  );
  const rows = fc.array(
    fc.record({
      id: ids,
      label: ids,
      type: fc.constant('text'),
      value: fc.constantFrom('x', '', true, false, null),
    }),
  );

  it('requires, prices and rejects only visible fields, even with circles and repeated ids', () => {
    fc.assert(
      fc.property(fields, rows, (stored, answers) => {
        const { visible, required, adjustments, problems } = evaluateCheckout(stored, answers);
        expect([...required].filter((id) => !visible.has(id))).toEqual([]);
        expect(adjustments.filter(({ fieldId, value }) => !visible.has(fieldId) || value < 0)).toEqual([]);
        const faulted = problems.flatMap(({ path }) => /\[(\d+)\]\.value$/.exec(path)?.slice(1) ?? []);
        expect(faulted.filter((index) => !visible.has(answers[Number(index)].id))).toEqual([]);
      }),
    );
  });
});
