/**
 * What an order's total is made of (docs/behaviour.md §6.17). All amounts are minor units. Nothing here reads
 * or writes: placing, a change of items, a quote, cashback and reports all share out an order here.
 */

/** An increase or decrease of the checkout form, as the form asks for it. A decrease is negative. */
export interface Adjustment {
  /** Null for what an older order does not attribute to a field. */
  fieldId: string | null;
  label: string | null;
  asked: bigint;
}

/** The parts of the price of a line, or of an increase of the form. */
export interface PriceShare {
  /** The share of the promocode and of the form's decreases. */
  discount: bigint;
  /** The share of the bonus spent. */
  bonus: bigint;
  /** What remains to be paid in money. */
  paid: bigint;
}

export interface ComposedAdjustment extends Adjustment, PriceShare {
  /** What it changed: an increase whole, a decrease what it took. */
  amount: bigint;
}

/** The sum of an order before promocode, bonus and tip. */
export interface Goods {
  /** The sum of the lines. */
  subtotal: bigint;
  /** The sum of lines and increases, before any decrease. */
  gross: bigint;
  /** The amounts of the adjustments, in their order. */
  amounts: bigint[];
  /** The sum of the lines with all adjustments, never below 0. */
  adjusted: bigint;
}

export interface Composition extends Goods {
  /** One per line, in their order. */
  lines: PriceShare[];
  adjustments: ComposedAdjustment[];
  /** Without the tip. */
  payable: bigint;
}

type Line = { priceMinor: bigint; quantity: number };

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const least = (a: bigint, b: bigint) => (a < b ? a : b);
const linePrice = ({ priceMinor, quantity }: Line) => priceMinor * BigInt(quantity);

/**
 * Applies the form's adjustments to the lines. Every increase counts before any decrease, so that the sum
 * does not depend on the order of the fields; each decrease then takes at most what the earlier ones left.
 */
export function goodsOf(lines: readonly Line[], adjustments: readonly Adjustment[]): Goods {
  const subtotal = sum(lines.map(linePrice));
  const gross = subtotal + sum(adjustments.map(({ asked }) => (asked > 0n ? asked : 0n)));
  let adjusted = gross;
  const amounts = adjustments.map(({ asked }) => {
    if (asked >= 0n) return asked;
    const taken = least(-asked, adjusted);
    adjusted -= taken;
    return -taken;
  });
  return { subtotal, gross, amounts, adjusted };
}

/**
 * Shares what reduces the order over its lines and the form's increases alike: first the promocode with the
 * decreases, by what each costs, then the bonus, by what each still costs.
 */
export function compose(
  lines: readonly Line[],
  adjustments: readonly Adjustment[],
  { promocode, bonus }: { promocode: bigint; bonus: bigint },
): Composition {
  const goods = goodsOf(lines, adjustments);
  const prices = [...lines.map(linePrice), ...goods.amounts.map((amount) => (amount > 0n ? amount : 0n))];
  const discounts = allocate(goods.gross - goods.adjusted + promocode, prices);
  const left = prices.map((price, i) => price - discounts[i]);
  const bonuses = allocate(bonus, left);
  const shares = left.map((rest, i) => ({
    discount: discounts[i],
    bonus: bonuses[i],
    paid: rest - bonuses[i],
  }));
  return {
    ...goods,
    lines: shares.slice(0, lines.length),
    adjustments: adjustments.map((adjustment, i) => ({
      ...adjustment,
      amount: goods.amounts[i],
      ...shares[lines.length + i],
    })),
    payable: goods.adjusted - promocode - bonus,
  };
}

/**
 * Shares an amount in proportion to weights, to the minor unit: each share is rounded down, and the rest
 * goes, one unit each, to those that lost most by rounding (of equal ones, to the first). No share exceeds
 * its weight; an amount above the sum of the weights takes all of each.
 */
export function allocate(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = sum(weights);
  if (amount <= 0n) return weights.map(() => 0n);
  if (amount >= total) return [...weights];
  const parts = weights.map((weight, i) => ({
    i,
    share: (amount * weight) / total,
    cut: (amount * weight) % total,
  }));
  let rest = amount - sum(parts.map(({ share }) => share));
  const byCut = [...parts].sort((a, b) => (a.cut === b.cut ? a.i - b.i : a.cut < b.cut ? 1 : -1));
  for (const part of byCut) if (rest-- > 0n) part.share += 1n;
  return parts.map(({ share }) => share);
}
