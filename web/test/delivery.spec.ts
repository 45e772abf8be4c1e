import type { Field } from '../dashboard/pages/checkout/checkout';
import { type Way, waysOf, withWays } from '../dashboard/pages/checkout/delivery';
import { evaluateCheckout } from '../../src/groups/checkout/checkout-rules.js';
import { loadTexts } from './load-words';

const WAYS: Way[] = [
  { name: 'Nova Poshta', price: 2, asksAddress: true },
  { name: 'Courier, Kyiv', price: 3.5, asksAddress: true },
  { name: 'Pickup', price: 0, asksAddress: false },
];

/** The fields that a shopper who chooses a way is shown and must fill in, and what each adds. */
function felt(fields: Field[], value: string) {
  const row = { id: 'delivery', label: 'Delivery', type: 'select', value };
  const { visible, required, adjustments } = evaluateCheckout(fields, [row]);
  return [[...visible], [...required], adjustments.map((one) => one.value)];
}

beforeAll(() => loadTexts('en'));

describe('the ways of delivery', () => {
  it('become a choice that costs, and an address that is asked for with some of them', () => {
    const fields = withWays([], [], WAYS);
    expect(felt(fields, 'Nova Poshta')).toEqual([['delivery', 'address'], ['delivery', 'address'], [2]]);
    expect(felt(fields, 'Courier, Kyiv')[2]).toEqual([3.5]);
    expect(felt(fields, 'Pickup')).toEqual([['delivery'], ['delivery'], []]);
    expect(waysOf(fields)).toEqual(WAYS);
  });

  it('are read from a form made by hand, with prices at the address, and moved to the choice', () => {
    const courier = { dependsOn: 'delivery', operator: 'equals', value: 'Courier' } as const;
    const fields: Field[] = [
      {
        ...{ id: 'delivery', label: 'How?', type: 'select', options: 'Pickup, Courier' },
        ...{ required: false, defaultVisible: true },
      },
      { id: 'note', label: 'Note', type: 'text', required: false, defaultVisible: true },
      {
        ...{ id: 'where', label: 'Where?', type: 'text', required: false, defaultVisible: false },
        conditions: [
          { ...courier, action: 'show' },
          { ...courier, action: 'require' },
          { ...courier, action: 'increase_price', priceAdjustment: { operator: 'add', value: 4.9 } },
        ],
      },
    ];
    const ways = waysOf(fields)!;
    expect(ways).toEqual([
      { name: 'Pickup', price: 0, asksAddress: false },
      { name: 'Courier', price: 4.9, asksAddress: true },
    ]);
    const changed = withWays(fields, ways, ways.with(1, { ...ways[1], price: 5 }));
    expect(changed.map(({ id }) => id)).toEqual(['delivery', 'where', 'note']);
    expect(felt(changed, 'Courier')).toEqual([['delivery', 'note', 'where'], ['where'], [5]]);
    expect(waysOf(changed)).toEqual([ways[0], { ...ways[1], price: 5 }]);
  });

  it('are followed by conditions of other fields when one is renamed, and not when they are moved', () => {
    const gift: Field = {
      ...{ id: 'gift', label: 'Wrap', type: 'checkbox', required: false, defaultVisible: false },
      conditions: [{ dependsOn: 'delivery', operator: 'not_equals', value: 'Pickup', action: 'show' }],
    };
    const fields = [...withWays([], [], WAYS), gift];
    const renamed = WAYS.with(2, { ...WAYS[2], name: 'From the shop' });
    const valueOf = (changed: Field[]) => changed.find(({ id }) => id === 'gift')!.conditions![0].value;
    expect(valueOf(withWays(fields, WAYS, renamed))).toBe('From the shop');
    expect(valueOf(withWays(fields, WAYS, WAYS.toReversed()))).toBe('Pickup');
  });

  it('leave alone a choice with conditions that they cannot say, and go with the last row', () => {
    const [field] = withWays([], [], WAYS);
    const cheaper = { ...field.conditions![0], action: 'decrease_price' as const };
    expect(waysOf([{ ...field, conditions: [cheaper] }])).toBeNull();
    expect(waysOf([{ ...field, options: 'One, One', conditions: [] }])).toBeNull();
    const fields = withWays([], [], WAYS);
    expect(withWays(fields, WAYS, WAYS.slice(2)).map(({ id }) => id)).toEqual(['delivery']);
  });
});
