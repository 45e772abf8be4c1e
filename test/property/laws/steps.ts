import fc from 'fast-check';

const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const;
/** Of each of the first four currencies the decimals differ from the next one's, or its money is as new. */
export const CURRENCIES = ['USD', 'JPY', 'KWD', 'XTR', 'EUR'];
/** The third came by a link of the first, who is rewarded for the third's orders. */
export const SHOPPERS = ['7', '9007199254740993', '11'];
export const CODES = ['PART', 'WHOLE'];
/** The plain product, and two variants of the other one. */
export const ARTICLES = 3;

/** The newest order is 0. Mostly a new one is meant, whose life is not over. */
const order = fc.oneof({ weight: 2, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(30) });
const article = fc.nat(ARTICLES - 1);
const shopper = fc.nat(SHOPPERS.length - 1);
const quantity = fc.integer({ min: 1, max: 3 });
const lines = fc.array(fc.record({ article, quantity }), { minLength: 1, maxLength: 3 });
/** Minor units times a factor of the currency, so that every amount exists in it. */
const amount = fc.integer({ min: 1, max: 90 });

export const steps = {
  place: fc.record({
    do: fc.constant('place' as const),
    door: fc.constantFrom('storefront' as const, 'operator' as const),
    shopper,
    lines,
    code: fc.option(fc.nat(CODES.length - 1), { freq: 1 }),
    bonus: fc.constantFrom(0, 0, 0, 5, 'all' as const),
    tip: fc.option(fc.nat(9)),
    delivery: fc.constantFrom('none', 'courier', 'pickup'),
    method: fc.constantFrom('cash', 'card'),
    paid: fc.boolean(),
  }),
  status: fc.record({ do: fc.constant('status' as const), order, to: fc.constantFrom(...STATUSES) }),
  ship: fc.record({ do: fc.constant('ship' as const), order, carrier: fc.constantFrom('UPS', 'DHL') }),
  refund: fc.record({ do: fc.constant('refund' as const), order }),
  delete: fc.record({ do: fc.constant('delete' as const), order }),
  note: fc.record({ do: fc.constant('note' as const), order }),
  items: fc.record({ do: fc.constant('items' as const), order, lines }),
  statuses: fc.record({
    do: fc.constant('statuses' as const),
    orders: fc.array(order, { minLength: 1, maxLength: 4 }),
    to: fc.constantFrom(...STATUSES),
  }),
  /** `first` pays the invoice that was made with an open order, whatever has changed since. */
  pay: fc.record({
    do: fc.constant('pay' as const),
    order,
    tip: fc.constantFrom(0, 3, 12, 3_500),
    first: fc.constantFrom(true, true, false),
  }),
  greet: fc.record({ do: fc.constant('greet' as const), shopper, blocks: fc.boolean() }),
  /** Stock of the plain product is no longer counted, or counted again. */
  track: fc.record({ do: fc.constant('track' as const), amount: fc.option(fc.nat(9), { freq: 2 }) }),
  again: fc.record({ do: fc.constant('again' as const) }),
  /** The database's connections end during the call, which the caller repeats. */
  cut: fc.record({ do: fc.constant('cut' as const), order, to: fc.constantFrom(...STATUSES) }),
  /** Any other operation, with what it needs. */
  any: fc.record({ do: fc.constant('any' as const), nth: fc.nat(1_000) }),
  expire: fc.record({ do: fc.constant('expire' as const) }),
  bonus: fc.record({
    do: fc.constant('bonus' as const),
    shopper,
    delta: fc.oneof(
      fc.integer({ min: -20, max: 30 }).filter((delta) => delta !== 0),
      fc.constant('nothing left' as const),
    ),
  }),
  stock: fc.record({ do: fc.constant('stock' as const), article, delta: fc.integer({ min: -4, max: 6 }) }),
  stocks: fc.record({
    do: fc.constant('stocks' as const),
    article,
    absolute: fc.constantFrom(0, 1, 2, 9, 20),
  }),
  price: fc.record({ do: fc.constant('price' as const), article, amount, sale: fc.option(amount) }),
  code: fc.record({ do: fc.constant('code' as const), code: fc.nat(1), active: fc.boolean() }),
  rules: fc.record({
    do: fc.constant('rules' as const),
    rate: fc.constantFrom(0, 10, 33),
    trigger: fc.constantFrom('on_order_place', 'on_payment'),
    share: fc.constantFrom(0, 50, 100, 100),
  }),
  form: fc.record({ do: fc.constant('form' as const), plus: fc.nat(9), minus: fc.nat(20) }),
  mode: fc.record({ do: fc.constant('mode' as const), mode: fc.constantFrom('manual', 'native_payments') }),
  wait: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, 60_000) }),
};
type Steps = typeof steps;
type Of<Kind> = Kind extends fc.Arbitrary<infer Value> ? Value : never;
export type Step = { [Name in keyof Steps]: Of<Steps[Name]> }[keyof Steps];

const WEIGHTS: Partial<Record<keyof Steps, number>> = {
  ...{ place: 9, status: 9, items: 6, pay: 6, refund: 3, stocks: 3 },
  ...{ mode: 2, track: 2, bonus: 2, delete: 2, any: 2 },
};

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  ...Object.entries(steps).map(([name, arbitrary]) => ({
    weight: WEIGHTS[name as keyof Steps] ?? 1,
    arbitrary: arbitrary as fc.Arbitrary<Step>,
  })),
);
