import { type Adjustment, allocate, compose, goodsOf } from './composition.js';

const line = (priceMinor: bigint, quantity = 1) => ({ priceMinor, quantity });
const field = (asked: bigint, fieldId = 'f'): Adjustment => ({ fieldId, label: fieldId, asked });
const NOTHING = { promocode: 0n, bonus: 0n };

describe('allocate', () => {
  it.each<[bigint, bigint[], bigint[]]>([
    [0n, [1000n, 500n], [0n, 0n]],
    [150n, [1000n, 500n], [100n, 50n]],
    [1n, [1000n, 500n], [1n, 0n]],
    [2n, [500n, 1000n], [1n, 1n]],
    [2n, [1n, 1n, 1n], [1n, 1n, 0n]],
    [5n, [0n, 10n], [0n, 5n]],
    [30n, [10n, 20n], [10n, 20n]],
    [99n, [10n, 20n], [10n, 20n]],
    [-5n, [10n], [0n]],
    [5n, [], []],
  ])('shares %p over %p as %p', (amount, weights, shares) => {
    expect(allocate(amount, weights)).toEqual(shares);
  });
});

describe('goodsOf', () => {
  it.each<[bigint, bigint[], bigint[], bigint]>([
    [1000n, [], [], 1000n],
    [1000n, [550n], [550n], 1550n],
    [1000n, [-225n], [-225n], 775n],
    [1000n, [-5000n], [-1000n], 0n],
    [1000n, [-5000n, 4500n], [-5000n, 4500n], 500n],
    [1000n, [-800n, -500n, -100n], [-800n, -200n, 0n], 0n],
    [0n, [-1n], [0n], 0n],
  ])('%p with %p takes %p and leaves %p', (subtotal, asked, amounts, adjusted) => {
    const goods = goodsOf(
      [line(subtotal)],
      asked.map((amount) => field(amount)),
    );
    expect(goods).toMatchObject({ subtotal, amounts, adjusted });
  });
});

describe('compose', () => {
  it('shares a promocode over a line and a surcharge alike, and then the bonus over what is left', () => {
    const parts = compose([line(10_000n)], [field(10_000n)], { promocode: 10_000n, bonus: 1_000n });
    expect(parts.lines).toEqual([{ discount: 5_000n, bonus: 500n, paid: 4_500n }]);
    expect(parts.adjustments).toEqual([
      { ...field(10_000n), amount: 10_000n, discount: 5_000n, bonus: 500n, paid: 4_500n },
    ]);
    expect(parts.payable).toBe(9_000n);
  });

  it('shares a decrease over the lines, and none of it is left to pay', () => {
    const parts = compose([line(1_000n, 3), line(1_000n)], [field(-1_001n)], NOTHING);
    expect(parts.lines.map(({ discount }) => discount)).toEqual([751n, 250n]);
    expect(parts.adjustments).toEqual([
      { ...field(-1_001n), amount: -1_001n, discount: 0n, bonus: 0n, paid: 0n },
    ]);
    expect(parts.payable).toBe(2_999n);
  });
});
