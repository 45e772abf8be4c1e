import { adjustmentsByField } from './checkout-adjustments.js';
import { evaluateCheckout } from './checkout-rules.js';
import type { CheckoutCondition, CheckoutField, CheckoutRow, PriceAdjustment } from './checkout-rules.js';
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
const surcharge = (value: number, operator: 'add' | 'subtract' = 'add') => ({
  priceAdjustment: { operator, value },
});

describe('the six operators', () => {
  const shown = (
    operator: CheckoutCondition['operator'],
    value: string | undefined,
    answer: unknown,
    type: CheckoutFieldType = 'text',
  ) =>
    evaluateCheckout(
      [
        field('a', { type }),
        field('b', { defaultVisible: false, conditions: [when('a', 'show', { operator, value })] }),
      ],
      answer === undefined ? [] : [row('a', answer)],
    ).visible.has('b');

  it.each<[CheckoutCondition['operator'], string | undefined, unknown, boolean]>([
    ['equals', 'Courier', 'Courier', true],
    ['equals', ' Courier', 'Courier ', true],
    ['equals', 'courier', 'Courier', false],
    ['equals', '5', 5, true],
    ['equals', '', undefined, true],
    ['equals', undefined, '', true],
    ['not_equals', 'Courier', 'Pickup', true],
    ['not_equals', 'Courier', 'Courier', false],
    ['not_equals', 'Courier', undefined, true],
    ['contains', 'OUR', 'Courier', true],
    ['contains', 'x', 'Courier', false],
    ['contains', 'x', undefined, false],
    ['not_contains', 'OUR', 'Courier', false],
    ['not_contains', 'x', 'Courier', true],
    ['not_contains', 'x', undefined, true],
    ['is_empty', undefined, ' ', true],
    ['is_empty', undefined, undefined, true],
    ['is_empty', undefined, null, true],
    ['is_empty', undefined, 'a', false],
    ['is_not_empty', undefined, 'a', true],
    ['is_not_empty', undefined, 0, true],
    ['is_not_empty', undefined, '', false],
  ])('%s %j on %j: %p', (operator, value, answer, met) => expect(shown(operator, value, answer)).toBe(met));

  it.each<[CheckoutCondition['operator'], string | undefined, unknown, boolean]>([
    ['equals', 'true', true, true],
    ['equals', 'TRUE', 'true', true],
    ['equals', 'true', false, false],
    ['equals', 'false', undefined, true],
    ['not_equals', 'true', undefined, true],
    ['is_empty', undefined, false, true],
    ['is_not_empty', undefined, true, true],
  ])('checkbox: %s %j on %j: %p', (operator, value, answer, met) =>
    expect(shown(operator, value, answer, 'checkbox')).toBe(met),
  );
});

describe('visibility', () => {
  const visible = (fields: CheckoutField[], rows: CheckoutRow[] = []) =>
    [...evaluateCheckout(fields, rows).visible].sort().join('');
  const ifA = field('b', { defaultVisible: false, conditions: [when('a', 'show')] });

  it.each<[string, CheckoutField[], CheckoutRow[], string]>([
    ['follows the default', [field('a'), field('b', { defaultVisible: false })], [], 'a'],
    ['show, not met', [field('a'), ifA], [], 'a'],
    ['show, met', [field('a'), ifA], [row('a', 'x')], 'ab'],
    ['hide, met', [field('a'), field('b', { conditions: [when('a', 'hide')] })], [row('a', 'x')], 'a'],
    [
      'the last met wins: hide',
      [field('a'), field('b', { conditions: [when('a', 'show'), when('a', 'hide')] })],
      [row('a', 'x')],
      'a',
    ],
    [
      'the last met wins: show',
      [field('a'), field('b', { conditions: [when('a', 'hide'), when('a', 'show')] })],
      [row('a', 'x')],
      'ab',
    ],
    [
      'an unmet last one does not count',
      [field('a'), field('b', { conditions: [when('a', 'hide'), when('z', 'show')] })],
      [row('a', 'x')],
      'a',
    ],
    [
      'an unknown dependency is empty',
      [field('b', { conditions: [when('z', 'hide', { operator: 'is_empty' })] })],
      [row('z', 'x')],
      '',
    ],
    ['a hidden dependency is empty', [field('a', { defaultVisible: false }), ifA], [row('a', 'x')], ''],
    [
      'a dependency hidden by a later field is empty',
      [ifA, field('a', { conditions: [when('c', 'hide')] }), field('c')],
      [row('a', 'x'), row('c', 'x')],
      'c',
    ],
    [
      'a display-only dependency is empty',
      [field('a', { type: 'payment_button' }), ifA],
      [row('a', true)],
      'a',
    ],
    ['a field may hide itself', [field('a', { conditions: [when('a', 'hide')] })], [row('a', 'x')], ''],
    [
      'a circle is cut at the default',
      [field('a', { conditions: [when('b', 'hide')] }), field('b', { conditions: [when('a', 'hide')] })],
      [row('a', 'x'), row('b', 'x')],
      'a',
    ],
    [
      'of two fields with one id the first counts',
      [field('a', { defaultVisible: false }), field('a')],
      [],
      '',
    ],
  ])('%s', (_, fields, rows, expected) => expect(visible(fields, rows)).toBe(expected));

  it('follows a chain of 5,000 fields', () => {
    const fields = Array.from({ length: 5_000 }, (_, n) =>
      field(`f${n}`, { defaultVisible: false, conditions: [when(`f${n + 1}`, 'show')] }),
    );
    const last = field('f5000');
    const rows = [...fields, last].map(({ id }) => row(id, 'x'));
    expect(evaluateCheckout([...fields, last], rows).visible.size).toBe(5_001);
    expect(evaluateCheckout([...fields, { ...last, defaultVisible: false }], rows).visible.size).toBe(0);
  });
});

describe('requiredness', () => {
  const required = (subject: CheckoutField, rows: CheckoutRow[] = [row('a', 'x')]) =>
    evaluateCheckout([field('a'), subject], rows).required.has(subject.id);

  it.each<[string, CheckoutField, boolean]>([
    ['as stored', field('b', { required: true }), true],
    ['require', field('b', { conditions: [when('a', 'require')] }), true],
    ['optional', field('b', { required: true, conditions: [when('a', 'optional')] }), false],
    ['the last met wins', field('b', { conditions: [when('a', 'optional'), when('a', 'require')] }), true],
    ['unmet', field('b', { conditions: [when('z', 'require')] }), false],
    ['hidden', field('b', { required: true, defaultVisible: false }), false],
    [
      'hidden, with a met require',
      field('b', { defaultVisible: false, conditions: [when('a', 'require')] }),
      false,
    ],
  ])('%s', (_, subject, expected) => expect(required(subject)).toBe(expected));

  it.each<CheckoutFieldType>(['label', 'warning', 'info', 'payment_button'])(
    'a field of type %s is never required',
    (type) => {
      expect(required(field('b', { type, required: true, conditions: [when('a', 'require')] }))).toBe(false);
    },
  );
});

describe('price adjustments', () => {
  const adjustments = (conditions: CheckoutCondition[], change: Partial<CheckoutField> = {}) =>
    evaluateCheckout([field('a'), field('b', { conditions, ...change })], [row('a', 'x')]).adjustments;
  const added = (value: number) => ({ fieldId: 'b', operator: 'add', value });
  const taken = (value: number) => ({ fieldId: 'b', operator: 'subtract', value });

  it.each<[string, CheckoutCondition[], unknown[]]>([
    ['increase', [when('a', 'increase_price', surcharge(5))], [added(5)]],
    ['decrease', [when('a', 'decrease_price', surcharge(5, 'subtract'))], [taken(5)]],
    ['increase decides over subtract', [when('a', 'increase_price', surcharge(5, 'subtract'))], [added(5)]],
    ['decrease decides over add', [when('a', 'decrease_price', surcharge(5))], [taken(5)]],
    ['the sign of the value is left out', [when('a', 'increase_price', surcharge(-5))], [added(5)]],
    ['without an adjustment', [when('a', 'increase_price')], []],
    ['on another action', [when('a', 'show', surcharge(5))], []],
    ['unmet', [when('z', 'increase_price', surcharge(5))], []],
    [
      'several all count',
      [when('a', 'increase_price', surcharge(5)), when('a', 'decrease_price', surcharge(2))],
      [added(5), taken(2)],
    ],
  ])('%s', (_, conditions, expected) => expect(adjustments(conditions)).toEqual(expected));

  it('do not apply if their field is hidden', () => {
    expect(adjustments([when('a', 'increase_price', surcharge(5))], { defaultVisible: false })).toEqual([]);
  });

  it('apply if their field is only displayed', () => {
    expect(adjustments([when('a', 'increase_price', surcharge(5))], { type: 'info' })).toEqual([added(5)]);
  });

  it('may depend on the field itself', () => {
    const express = field('express', {
      type: 'checkbox',
      conditions: [
        when('express', 'increase_price', { operator: 'equals', value: 'true', ...surcharge(9.5) }),
      ],
    });
    expect(evaluateCheckout([express], [row('express', true)]).adjustments).toEqual([
      { fieldId: 'express', operator: 'add', value: 9.5 },
    ]);
    expect(evaluateCheckout([express], []).adjustments).toEqual([]);
  });
});

describe('problems', () => {
  it.each<[string, CheckoutField[], CheckoutRow[], [string, string][]]>([
    ['none', [field('a', { required: true })], [row('a', 'x')], []],
    [
      'a required field without a row',
      [field('a', { required: true })],
      [],
      [['checkoutData', 'must have a value for the field "a" (A)']],
    ],
    [
      'a required field left blank',
      [field('a'), field('b', { required: true })],
      [row('a', 'x'), row('b', ' ')],
      [['checkoutData[1].value', 'must have a value for the field "b" (B)']],
    ],
    [
      'a required checkbox left unticked',
      [field('a', { type: 'checkbox', required: true })],
      [row('a', false)],
      [['checkoutData[0].value', 'must be "true" for the field "a" (A)']],
    ],
    [
      'a wrong format',
      [field('a', { type: 'email' })],
      [row('a', 'x')],
      [['checkoutData[0].value', 'must be an e-mail address']],
    ],
    ['no format check of an empty value', [field('a', { type: 'email' })], [row('a', '')], []],
    [
      'no check of a hidden field',
      [field('a', { type: 'email', required: true, defaultVisible: false })],
      [row('a', 'x')],
      [],
    ],
    ['no check of an unknown row', [field('a')], [row('z', { odd: true })], []],
    [
      'no check of a display-only row',
      [field('a', { type: 'payment_button' })],
      [row('a', { odd: true })],
      [],
    ],
    [
      'a value that no form gives',
      [field('a', { required: true })],
      [row('a', ['x'])],
      [['checkoutData[0].value', 'must be a string, a number, true, false or null']],
    ],
    [
      'a row given twice',
      [field('a')],
      [row('a', 'x'), row('a', 'y')],
      [['checkoutData[1].id', 'repeats the field "a"']],
    ],
    [
      'every one of them',
      [field('a', { required: true }), field('b', { type: 'date' })],
      [row('b', 'soon')],
      [
        ['checkoutData', 'must have a value for the field "a" (A)'],
        ['checkoutData[0].value', 'must be a calendar day as YYYY-MM-DD'],
      ],
    ],
  ])('%s', (_, fields, rows, expected) => {
    const { problems } = evaluateCheckout(fields, rows);
    expect(problems.map(({ path, message }) => [path, message])).toEqual(expected);
  });

  it('a form without fields accepts any rows', () => {
    expect(evaluateCheckout([], [row('a', 'x')])).toEqual({
      visible: new Set(),
      required: new Set(),
      adjustments: [],
      problems: [],
    });
  });
});

describe('adjustmentsByField', () => {
  const form = [
    { id: 'a', label: 'Courier' },
    { id: 'b', label: 'Own cup' },
    { id: 'a', label: 'A second field with the id of the first' },
  ];
  const add = (value: number, fieldId = 'a'): PriceAdjustment => ({ fieldId, operator: 'add', value });
  const subtract = (value: number, fieldId = 'a'): PriceAdjustment => ({
    fieldId,
    operator: 'subtract',
    value,
  });

  it.each<[PriceAdjustment[], string, [string, bigint][]]>([
    [[], 'USD', []],
    [[add(5.5)], 'USD', [['a', 550n]]],
    [[subtract(2.25)], 'USD', [['a', -225n]]],
    [[add(0.1), add(0.2)], 'USD', [['a', 30n]]],
    [[subtract(50), add(45)], 'USD', [['a', -500n]]],
    [[subtract(5), add(5)], 'USD', []],
    [[add(0.009), subtract(0.009, 'b')], 'USD', []],
    [
      [subtract(1, 'b'), add(5.5)],
      'XTR',
      [
        ['b', -1n],
        ['a', 5n],
      ],
    ],
    [[add(5.5)], 'KWD', [['a', 5500n]]],
  ])('%j in %s is %p', (adjustments, currency, expected) => {
    const labels = { a: 'Courier', b: 'Own cup' };
    expect(adjustmentsByField(adjustments, form, currency)).toEqual(
      expected.map(([fieldId, asked]) => ({ fieldId, label: labels[fieldId as 'a' | 'b'], asked })),
    );
  });

  it('calls what a choice costs by the choice, unless something else of the field costs too', () => {
    const priced = (value: string, price: number): CheckoutCondition => ({
      ...{ dependsOn: 'delivery', operator: 'equals', value, action: 'increase_price' },
      ...surcharge(price),
    });
    const delivery = (...conditions: CheckoutCondition[]) =>
      field('delivery', { label: 'Delivery', type: 'select', options: 'Pickup\nNova Poshta', conditions });
    const labels = (form: CheckoutField[]) => {
      const { adjustments: found } = evaluateCheckout(form, [row('delivery', 'Nova Poshta')]);
      return adjustmentsByField(found, form, 'EUR').map(({ label, asked }) => [label, asked]);
    };
    const always = { ...priced('', 1), operator: 'is_not_empty' } as const;
    expect(labels([delivery(priced('Pickup', 1), priced('Nova Poshta', 2))])).toEqual([
      ['Delivery: Nova Poshta', 200n],
    ]);
    expect(labels([delivery(priced('Nova Poshta', 2), always)])).toEqual([['Delivery', 300n]]);
    const address = field('address', { label: 'Address', conditions: [priced('Nova Poshta', 2)] });
    expect(labels([delivery(), address])).toEqual([['Address', 200n]]);
  });
});
