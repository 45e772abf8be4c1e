import fc from 'fast-check';
import { type Adjustment, allocate, compose } from './composition.js';

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const amount = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 10n ** 12n }));
const lines = fc.array(fc.record({ priceMinor: amount, quantity: fc.integer({ min: 1, max: 1_000_000 }) }), {
  minLength: 1,
  maxLength: 20,
});
const adjustments = fc.array(
  fc
    .tuple(fc.boolean(), amount)
    .map(([isMore, asked]): Adjustment => ({ fieldId: 'f', label: null, asked: isMore ? asked : -asked })),
  { maxLength: 6 },
);

it('shares of an amount add up to it, are in proportion, and never exceed what they are shares of', () => {
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 20 }), amount, (weights, whole) => {
      const shares = allocate(whole, weights);
      const total = sum(weights);
      const shared = whole < total ? whole : total;
      expect(sum(shares)).toBe(shared);
      weights.forEach((weight, i) => {
        expect(shares[i] >= 0n && shares[i] <= weight).toBe(true);
        // Each share differs from the exact one by less than one minor unit.
        const difference = shares[i] * total - shared * weight;
        expect(difference < total && -difference < total).toBe(total > 0n);
      });
    }),
  );
});

it('the parts of an order make its total, by what it costs and by what is paid', () => {
  const share = fc.bigInt({ min: 0n, max: 100n });
  fc.assert(
    fc.property(lines, adjustments, share, share, (cart, asked, promocodeShare, bonusShare) => {
      const { adjusted } = compose(cart, asked, { promocode: 0n, bonus: 0n });
      const promocode = (adjusted * promocodeShare) / 100n;
      const bonus = ((adjusted - promocode) * bonusShare) / 100n;
      const parts = compose(cart, asked, { promocode, bonus });
      const prices = cart.map(({ priceMinor, quantity }) => priceMinor * BigInt(quantity));
      const amounts = parts.adjustments.map((adjustment) => adjustment.amount);
      const all = [...parts.lines, ...parts.adjustments];
      const decreases = sum(amounts.filter((n) => n < 0n));
      expect(parts.payable).toBe(sum(prices) + sum(amounts) - promocode - bonus);
      expect(parts.payable).toBe(sum(all.map(({ paid }) => paid)));
      expect(sum(all.map(({ discount }) => discount))).toBe(promocode - decreases);
      expect(sum(all.map((part) => part.bonus))).toBe(bonus);
      all.forEach((part, i) => {
        const price = i < cart.length ? prices[i] : amounts[i - cart.length];
        expect(part.paid >= 0n && part.discount >= 0n && part.bonus >= 0n).toBe(true);
        expect(part.paid).toBe((price > 0n ? price : 0n) - part.discount - part.bonus);
      });
      // Whatever the order of the fields, the sum is never below 0 and the same.
      expect(compose(cart, [...asked].reverse(), { promocode: 0n, bonus: 0n }).adjusted).toBe(adjusted);
      const sumAsked = sum(prices) + sum(asked.map((adjustment) => adjustment.asked));
      expect(adjusted).toBe(sumAsked > 0n ? sumAsked : 0n);
    }),
  );
});
