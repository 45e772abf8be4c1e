import fc from 'fast-check';
import { anyStep, ARTICLES, type Step, steps } from './steps.js';

type Names = keyof typeof steps;
type Of<Name extends Names> = Extract<Step, { do: Name }>;

/** A step with some of its choices made. */
const some = <Name extends Names>(name: Name, chosen: Partial<Of<Name>>): fc.Arbitrary<Step> =>
  (steps[name] as fc.Arbitrary<Step>).map((step) => ({ ...step, ...chosen }) as Step);

const NEWEST = { order: 0 };
/** Nothing that could be refused. */
const PLAIN = { code: null, bonus: 0 as const, tip: null };
const status = (to: Of<'status'>['to'], order = 0) => some('status', { order, to });
const end = (order: number) =>
  fc.oneof(status('CANCELLED', order), some('refund', { order }), some('delete', { order }));
const article = fc.nat(ARTICLES - 1);
const pieces = fc.integer({ min: 1, max: 4 });
const tell = (...told: fc.Arbitrary<Step>[]) => fc.tuple(...told) as fc.Arbitrary<Step[]>;

/** Where two rules meet, which steps by chance seldom come to. */
const STORIES: fc.Arbitrary<Step[]>[] = [
  // Bonus that one order earns is spent on another; then both end, in either order.
  fc
    .tuple(fc.nat(2), fc.boolean())
    .chain(([shopper, isNewestFirst]) =>
      tell(
        some('rules', { rate: 33, trigger: 'on_order_place', share: 100 }),
        some('bonus', { shopper, delta: 'nothing left' }),
        some('place', { ...PLAIN, shopper }),
        some('place', { ...PLAIN, shopper, bonus: 'all' }),
        ...(isNewestFirst ? [end(0), status('CANCELLED', 1)] : [end(1), status('CANCELLED')]),
      ),
    ),
  // An order changes while its invoice is open.
  fc
    .tuple(article, pieces)
    .chain(([article, quantity]) =>
      tell(
        some('mode', { mode: 'native_payments' }),
        some('stocks', { article, absolute: 9 }),
        some('place', { ...PLAIN, door: 'storefront', method: 'card', lines: [{ article, quantity: 3 }] }),
        some('items', { ...NEWEST, lines: [{ article, quantity }] }),
        some('pay', { ...NEWEST, first: true }),
      ),
    ),
  // The form takes something off an order that earns cashback, whose items then change.
  fc
    .integer({ min: 2, max: 9 })
    .chain((minus) =>
      tell(
        some('rules', { rate: 33 }),
        some('form', { minus }),
        some('place', { ...PLAIN, delivery: 'pickup', door: 'operator' }),
        status('PROCESSING'),
        some('items', NEWEST),
      ),
    ),
  // An order gets only some of its pieces again, and its lines change.
  fc
    .tuple(article, fc.constantFrom(1, 2), fc.constantFrom(1, 2, 4))
    .chain(([article, absolute, quantity]) =>
      tell(
        some('stocks', { article, absolute: 9 }),
        some('place', { ...PLAIN, lines: [{ article, quantity: 3 }], method: 'cash' }),
        status('CANCELLED'),
        some('stocks', { article, absolute }),
        status('PENDING'),
        some('items', { ...NEWEST, lines: [{ article, quantity }] }),
      ),
    ),
  // Stock is no longer counted while an order holds some, and is counted again.
  tell(
    some('track', { amount: 9 }),
    some('place', { ...PLAIN, lines: [{ article: 0, quantity: 2 }], method: 'cash' }),
    some('track', { amount: null }),
    status('CANCELLED'),
    some('track', { amount: 7 }),
    status('PENDING'),
    status('CANCELLED'),
  ),
  // An order that holds all there is to hold is deleted.
  tell(some('place', { bonus: 'all', code: 1, tip: null }), some('delete', NEWEST)),
];

/** The same steps for the same seed: steps by chance, with stories between them. */
export function stepsOf(seed: number, length: number): Step[] {
  const told = fc.oneof(
    { weight: 3, arbitrary: anyStep.map((step) => [step]) },
    { weight: 1, arbitrary: fc.oneof(...STORIES) },
  );
  const stories = fc.array(told, { minLength: length, maxLength: length, size: 'max' });
  const [found] = fc.sample(stories, { seed, numRuns: 1 });
  return found.flat().slice(0, length);
}
