import fc from 'fast-check';
import { bonusDecimals, toMajor } from '../../platform/money.js';
import { maxSpendable } from './bonus-spending.js';

const anyPromocode = { maxPercentage: 50, mutualExclusivityWithPromocode: false };
const exclusive = { maxPercentage: 50, mutualExclusivityWithPromocode: true };

describe('bonusDecimals', () => {
  it.each([
    ['USD', 2],
    ['XTR', 0],
    ['KWD', 2],
    ['CLF', 2],
  ])('%s: %i', (currency, decimals) => expect(bonusDecimals(currency)).toBe(decimals));
});

describe('maxSpendable', () => {
  it.each<
    [
      string,
      bigint,
      string,
      { maxPercentage: number; mutualExclusivityWithPromocode: boolean },
      boolean,
      string,
      bigint,
    ]
  >([
    ['the share', 1000n, '100.00', anyPromocode, false, 'USD', 500n],
    ['the share, rounded down', 999n, '100.00', anyPromocode, false, 'USD', 499n],
    ['the balance', 1000n, '3.25', anyPromocode, false, 'USD', 325n],
    ['the balance in whole stars', 1000n, '3.25', anyPromocode, false, 'XTR', 3n],
    ['what a ledger of 2 decimals can hold', 1999n, '100.00', anyPromocode, false, 'KWD', 990n],
    ['with a promocode', 1000n, '100.00', anyPromocode, true, 'USD', 500n],
    ['nothing with an exclusive promocode', 1000n, '100.00', exclusive, true, 'USD', 0n],
    ['the share without a promocode', 1000n, '100.00', exclusive, false, 'USD', 500n],
    ['nothing at 0 percent', 1000n, '100.00', { ...anyPromocode, maxPercentage: 0 }, false, 'USD', 0n],
    ['all at 100 percent', 1000n, '100.00', { ...anyPromocode, maxPercentage: 100 }, false, 'USD', 1000n],
    ['nothing of an empty balance', 1000n, '0.00', anyPromocode, false, 'USD', 0n],
    ['nothing of a free order', 0n, '100.00', anyPromocode, false, 'USD', 0n],
    ['nothing of a debt', 1000n, '-3.00', anyPromocode, false, 'USD', 0n],
  ])('%s', (_, total, balance, block, hasPromocode, currency, expected) => {
    expect(maxSpendable(total, balance, block, hasPromocode, currency)).toBe(expected);
  });

  it('exceeds neither the balance nor the share, and fits the ledger', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.integer({ min: 0, max: 100 }),
        fc.constantFrom('USD', 'JPY', 'KWD', 'CLF', 'XTR'),
        (total, balance, maxPercentage, currency) => {
          const spendable = maxSpendable(
            total,
            toMajor(balance, currency),
            { ...anyPromocode, maxPercentage },
            false,
            currency,
          );
          expect(spendable >= 0n && spendable <= balance).toBe(true);
          expect(spendable * 100n <= total * BigInt(maxPercentage)).toBe(true);
          expect(toMajor(spendable, currency)).toMatch(/^\d+(\.\d\d0*)?$/);
        },
      ),
    );
  });
});
