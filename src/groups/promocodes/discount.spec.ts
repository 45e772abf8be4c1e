import fc from 'fast-check';
import { discountMinor, unusableReason } from './discount.js';
import type { Discount } from './discount.js';

const promocodes: fc.Arbitrary<Discount> = fc.record({
  discountType: fc.constantFrom('PERCENTAGE' as const, 'FIXED_AMOUNT' as const),
  discountValue: fc
    .tuple(fc.nat({ max: 100_000 }), fc.nat({ max: 999_999 }))
    .map(([units, rest]) => `${units}.${String(rest).padStart(6, '0')}`),
});
const subtotals = fc.bigInt({ min: 0n, max: 10n ** 16n });
const currencies = fc.constantFrom('USD', 'JPY', 'KWD', 'XTR');

describe('discountMinor', () => {
  it.each<[Discount['discountType'], string, bigint, string, bigint]>([
    ['PERCENTAGE', '10', 1000n, 'USD', 100n],
    ['PERCENTAGE', '10', 999n, 'USD', 99n],
    ['PERCENTAGE', '12.5', 999n, 'USD', 124n],
    ['PERCENTAGE', '33.333333', 300n, 'USD', 99n],
    ['PERCENTAGE', '0.01', 9999n, 'USD', 0n],
    ['PERCENTAGE', '100', 999n, 'USD', 999n],
    ['PERCENTAGE', '250', 999n, 'USD', 999n],
    ['PERCENTAGE', '10', 15n, 'XTR', 1n],
    ['PERCENTAGE', '10', 0n, 'USD', 0n],
    ['PERCENTAGE', '10', -5n, 'USD', 0n],
    ['FIXED_AMOUNT', '5', 1000n, 'USD', 500n],
    ['FIXED_AMOUNT', '5.00', 400n, 'USD', 400n],
    ['FIXED_AMOUNT', '0.999', 1000n, 'USD', 99n],
    ['FIXED_AMOUNT', '0.999', 1000n, 'KWD', 999n],
    ['FIXED_AMOUNT', '5', 1000n, 'JPY', 5n],
    ['FIXED_AMOUNT', '5.9', 1000n, 'XTR', 5n],
    ['FIXED_AMOUNT', '5', 0n, 'USD', 0n],
  ])('%s %s off %p %s is %p', (discountType, discountValue, subtotal, currency, expected) => {
    expect(discountMinor({ discountType, discountValue }, subtotal, currency)).toBe(expected);
  });

  it('lies between nothing and the subtotal', () => {
    fc.assert(
      fc.property(promocodes, subtotals, currencies, (promocode, subtotal, currency) => {
        const discount = discountMinor(promocode, subtotal, currency);
        expect(discount >= 0n && discount <= subtotal).toBe(true);
      }),
    );
  });

  it('never decreases when the subtotal increases', () => {
    fc.assert(
      fc.property(promocodes, subtotals, subtotals, currencies, (promocode, one, more, currency) => {
        expect(
          discountMinor(promocode, one + more, currency) >= discountMinor(promocode, one, currency),
        ).toBe(true);
      }),
    );
  });

  it('is less than one minor unit below the stated percentage', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), subtotals, (percentage, subtotal) => {
        const discount = discountMinor(
          { discountType: 'PERCENTAGE', discountValue: String(percentage) },
          subtotal,
          'USD',
        );
        const shortBy = subtotal * BigInt(percentage) - discount * 100n;
        expect(shortBy >= 0n && shortBy < 100n).toBe(true);
      }),
    );
  });
});

describe('unusableReason', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const usable = { isActive: true, expiresAt: null, maxUses: null, usedCount: 0 };

  it.each([
    ['without limits', {}, null],
    ['switched off', { isActive: false }, 'inactive'],
    ['a millisecond before its end', { expiresAt: new Date('2026-03-01T12:00:00.001Z') }, null],
    ['at its end', { expiresAt: now }, 'expired'],
    ['after its end', { expiresAt: new Date('2026-03-01T11:59:59.999Z') }, 'expired'],
    ['with one use left', { maxUses: 3, usedCount: 2 }, null],
    ['with none left', { maxUses: 3, usedCount: 3 }, 'used_up'],
    ['used often, without a limit', { usedCount: 1_000_000 }, null],
    ['off, expired and used up', { isActive: false, expiresAt: now, maxUses: 1, usedCount: 1 }, 'inactive'],
    ['expired and used up', { expiresAt: now, maxUses: 1, usedCount: 1 }, 'expired'],
  ])('%s: %p', (_, change, expected) => {
    expect(unusableReason({ ...usable, ...change }, now)).toBe(expected);
  });
});
