import fc from 'fast-check';
import { Big } from 'big.js';
import { toMajor } from '../../platform/money.js';
import { cashbackFor } from './cashback.js';
import type { CashbackAward, CashbackBlock, CashbackItem, CashbackPromotion } from './cashback.js';

const placedAt = new Date('2026-03-10T23:59:59.999Z');

describe('cashbackFor, over any order and block', () => {
  const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
  const cap = fc.option(fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100));
  const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'CLF', 'XTR');
  const items = fc.array(
    fc.record({
      productId: fc.string(),
      categoryKeys: fc.subarray(['a', 'b']),
      priceMinor: fc.bigInt({ min: 0n, max: 10n ** 9n }),
      quantity: fc.integer({ min: 1, max: 20 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const promotion = (caps: fc.Arbitrary<number | null>, modes: CashbackPromotion['mode'][]) =>
    fc.record({
      id: fc.string(),
      label: fc.string(),
      startsAt: fc.constantFrom('2026-01-01', '2026-03-10', '2026-03-11'),
      endsAt: fc.constantFrom(null, '2026-03-09', '2026-03-10'),
      mode: fc.constantFrom(...modes),
      cashbackPercentage: percentage,
      maxCashbackPerOrder: caps,
      enabled: fc.boolean(),
    });
  const blocks = (promotions: fc.Arbitrary<CashbackPromotion[]>): fc.Arbitrary<CashbackBlock> =>
    fc.record({
      enabled: fc.constant(true),
      levels: fc.array(
        fc.record({
          minOrders: fc.nat(5),
          maxOrders: fc.option(fc.nat(9)),
          cashbackPercentage: percentage,
          levelName: fc.string(),
        }),
      ),
      categoryRates: fc.array(fc.record({ categoryKey: fc.constantFrom('a', 'b'), cashbackPercentage: percentage })),
      promotions,
      maxCashbackPerOrder: cap,
      cashbackTrigger: fc.constant('on_payment' as const),
    });
  const anyBlock = blocks(fc.uniqueArray(promotion(cap, ['add', 'override']), { selector: ({ id }) => id }));
  const cashback = (basket: CashbackItem[], earlierOrders: number, anyOf: CashbackBlock, code: string) =>
    cashbackFor({ items: basket, placedAt }, { earlierOrders }, anyOf, code);

  /** The promotions that the award's own rules name. */
  const applied = ({ rules }: CashbackAward, { promotions }: CashbackBlock) =>
    promotions.filter(({ id }) => rules.some((rule) => rule.rule === 'promotion' && rule.id === id));

  it('an award is positive, within every cap and the goods’ price, and of at most 2 decimals', () => {
    fc.assert(
      fc.property(items, fc.nat(9), anyBlock, currency, (basket, earlierOrders, anyOf, code) => {
        const result = cashback(basket, earlierOrders, anyOf, code);
        if (result === null) return;
        const amount = new Big(result.amount);
        expect(result.amount).toMatch(/^\d+(\.\d{2})?$/);
        expect(amount.gt(0) && amount.lte(result.earned)).toBe(true);
        for (const { maxCashbackPerOrder } of [anyOf, ...applied(result, anyOf)]) {
          if (typeof maxCashbackPerOrder === 'number') expect(amount.lte(maxCashbackPerOrder)).toBe(true);
        }
        const goods = basket.reduce((sum, { priceMinor, quantity }) => sum + priceMinor * BigInt(quantity), 0n);
        expect(new Big(result.earned).lte(toMajor(goods, code))).toBe(true);
      }),
    );
  });

  it('the rules add up to what was earned, and no item earns over 100 percent', () => {
    fc.assert(
      fc.property(items, fc.nat(9), anyBlock, currency, (basket, earlierOrders, anyOf, code) => {
        const named = basket.map((item, n) => ({ ...item, productId: String(n) }));
        const result = cashback(named, earlierOrders, anyOf, code);
        if (result === null) return;
        const sum = result.rules.reduce((total, { amount }) => total.plus(amount), new Big(0));
        expect(sum.toFixed()).toBe(result.earned);
        for (const { productId } of named) {
          const rates = result.rules.filter((rule) => rule.productId === productId);
          expect(rates.length).toBeGreaterThan(0);
          expect(rates.reduce((total, rate) => total.plus(rate.percentage), new Big(0)).lte(100)).toBe(true);
        }
      }),
    );
  });

  it('a higher percentage anywhere never lowers the award', () => {
    // Without caps on overrides: raising one may let it win over another whose cap was higher.
    const promotions = fc.oneof(fc.array(promotion(cap, ['add'])), fc.array(promotion(fc.constant(null), ['add', 'override'])));
    fc.assert(
      fc.property(
        items,
        fc.nat(9),
        blocks(promotions),
        currency,
        fc.nat(),
        percentage,
        (basket, orders, lower, code, pick, rise) => {
          const higher = structuredClone(lower);
          const rates = [...higher.levels, ...higher.categoryRates, ...higher.promotions];
          fc.pre(rates.length > 0);
          const raised = rates[pick % rates.length];
          raised.cashbackPercentage = Math.max(raised.cashbackPercentage, rise);
          const [before, after] = [lower, higher].map((each) => cashback(basket, orders, each, code)?.amount ?? '0');
          expect(new Big(after).gte(before)).toBe(true);
        },
      ),
    );
  });

  it('is the same whatever the order of the items', () => {
    fc.assert(
      fc.property(items, fc.nat(9), anyBlock, currency, (basket, earlierOrders, anyOf, code) => {
        const reversed = cashback([...basket].reverse(), earlierOrders, anyOf, code);
        expect(reversed?.amount).toBe(cashback(basket, earlierOrders, anyOf, code)?.amount);
      }),
    );
  });
});
