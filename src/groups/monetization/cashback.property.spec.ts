import fc from 'fast-check';
import { Big } from 'big.js';
import { toMajor } from '../../platform/money.js';
import { cashbackFor } from './cashback.js';
import type { CashbackBlock, CashbackItem, CashbackPromotion } from './cashback.types.js';

const placedAt = new Date('2026-03-10T23:59:59.999Z');

describe('cashbackFor, over any order and block', () => {
  const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
  const cap = fc.option(fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100));
  const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'CLF', 'XTR');
  const items = fc.array(
    fc.record({
      productId: fc.string(),
      categoryKeys: fc.subarray(['a', 'b']),
      paidMinor: fc.bigInt({ min: 0n, max: 10n ** 10n }),
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
      categoryRates: fc.array(
        fc.record({ categoryKey: fc.constantFrom('a', 'b'), cashbackPercentage: percentage }),
      ),
      promotions,
      maxCashbackPerOrder: cap,
      cashbackTrigger: fc.constant('on_payment' as const),
    });
  const anyBlock = blocks(fc.uniqueArray(promotion(cap, ['add', 'override']), { selector: ({ id }) => id }));
  const cashback = (basket: CashbackItem[], earlierOrders: number, anyOf: CashbackBlock, code: string) =>
    cashbackFor({ items: basket, placedAt }, { earlierOrders }, anyOf, code);

  it(
    'an award is positive, exceeds neither the order’s cap nor the amount paid, and has at most 2 ' +
      'decimals',
    () => {
      fc.assert(
        fc.property(items, fc.nat(9), anyBlock, currency, (basket, earlierOrders, anyOf, code) => {
          const result = cashback(basket, earlierOrders, anyOf, code);
          if (result === null) return;
          const amount = new Big(result.amount);
          expect(result.amount).toMatch(/^\d+(\.\d{2})?$/);
          expect(amount.gt(0) && amount.lte(result.earned)).toBe(true);
          if (anyOf.maxCashbackPerOrder !== null) expect(amount.lte(anyOf.maxCashbackPerOrder)).toBe(true);
          const goods = basket.reduce((sum, { paidMinor }) => sum + paidMinor, 0n);
          expect(new Big(result.earned).lte(toMajor(goods, code))).toBe(true);
        }),
      );
    },
  );

  it('a promotion gives no more than its cap, which does not reduce the rest', () => {
    fc.assert(
      fc.property(items, fc.nat(9), anyBlock, currency, (basket, earlierOrders, anyOf, code) => {
        const uncapped = { ...anyOf, maxCashbackPerOrder: null };
        const result = cashback(basket, earlierOrders, uncapped, code);
        const free = uncapped.promotions.map((promotion) => ({ ...promotion, maxCashbackPerOrder: null }));
        const whole = cashback(basket, earlierOrders, { ...uncapped, promotions: free }, code);
        if (whole === null) return expect(result).toBeNull();
        let expected = new Big(0);
        const parts = new Map<string, Big>();
        for (const { rule, id, amount } of whole.rules) {
          if (rule === 'promotion') parts.set(id!, (parts.get(id!) ?? new Big(0)).plus(amount));
          else expected = expected.plus(amount);
        }
        for (const [promotion, part] of parts) {
          const limit = anyOf.promotions.find(({ id }) => id === promotion)!.maxCashbackPerOrder;
          expected = expected.plus(typeof limit === 'number' && part.gt(limit) ? limit : part);
        }
        const exponent = { USD: 2, JPY: 0, KWD: 2, CLF: 2, XTR: 0 }[code as 'USD'];
        expect(result?.amount ?? new Big(0).toFixed(exponent)).toBe(
          expected.round(exponent, Big.roundDown).toFixed(exponent),
        );
      }),
    );
  });

  it('the rules add up to the earned amount, and no item earns more than 100 percent', () => {
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
    // Promotions have no caps here: if a rate is limited to 100, raising a capped promotion reduces a part
    // that is not capped.
    const promotions = fc.array(promotion(fc.constant(null), ['add', 'override']));
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
          const [before, after] = [lower, higher].map(
            (each) => cashback(basket, orders, each, code)?.amount ?? '0',
          );
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
