import type { Discount } from '../../promocodes/discount.js';
import { type Adjustment, compose, type Composition } from './composition.js';

/**
 * The parts of an order's price, as the order stores them. Amounts are minor units as text, because JSON
 * numbers end at 2^53.
 */
export interface StoredPricing {
  /** The sum that the checkout form's conditions ask for; may be negative, and below what they could take. */
  adjustment: string;
  /** The same by field; absent in older orders. */
  adjustments?: StoredAdjustment[];
  promocode: (Discount & { id: string; code: string; discount: string; isUseLost?: true }) | null;
  /** The part paid with bonus. */
  bonus: string;
}

/** An increase or decrease of the form, as composition.ts describes it. */
export interface StoredAdjustment {
  fieldId: string | null;
  label: string | null;
  asked: string;
  amount: string;
  discount: string;
  bonus: string;
}

/**
 * What a cancellation returned, so that leaving CANCELLED takes exactly that again. Bonus is in major units.
 */
export interface Cancellation {
  /** The pieces, by the position of their line. */
  stock: [position: number, quantity: number][];
  promocodeUse: boolean;
  /** The promocode was deleted; what is kept of it got the use. */
  isUseKept?: true;
  /** The spent bonus that was returned. */
  bonus: string;
  /** The earned cashback that was taken back. */
  cashback: string;
  /** The referrer's reward that was taken back; `once` if it is given once for each referred customer. */
  referral?: { customerId: string; amount: string; once: boolean };
}

export function adjustmentsOf({
  adjustments,
}: Composition): Pick<StoredPricing, 'adjustment' | 'adjustments'> {
  return {
    adjustment: adjustments.reduce((sum, { asked }) => sum + asked, 0n).toString(),
    adjustments: adjustments.map(({ fieldId, label, asked, amount, discount, bonus }) => ({
      fieldId,
      label,
      asked: asked.toString(),
      amount: amount.toString(),
      discount: discount.toString(),
      bonus: bonus.toString(),
    })),
  };
}

/**
 * What the form asked of an order that is stored. In an order that is older than these columns, it is
 * whatever the rest of the order does not explain, attributed to no field.
 */
export function askedOf(
  pricing: StoredPricing | null,
  { goods, lines }: { goods: bigint; lines: bigint },
): Adjustment[] {
  if (pricing?.adjustments) {
    return pricing.adjustments.map(({ fieldId, label, asked }) => ({ fieldId, label, asked: BigInt(asked) }));
  }
  const asked = pricing ? BigInt(pricing.adjustment) : goods - lines;
  return asked === 0n ? [] : [{ fieldId: null, label: null, asked }];
}

/** The parts of a stored order. */
export interface StoredParts extends Composition {
  promocode: { code: string; amount: bigint } | null;
  bonus: bigint;
}

interface StoredLine {
  priceMinor: string | number | bigint;
  quantity: number;
}

/**
 * What a stored order is made of. Whatever its columns do not explain is one more adjustment without a field,
 * so that the parts always make the total.
 */
export function partsOf(
  pricing: StoredPricing | null,
  stored: StoredLine[],
  { total, tip }: { total: bigint; tip: bigint },
): StoredParts {
  const lines = stored.map(({ priceMinor, quantity }) => ({ priceMinor: BigInt(priceMinor), quantity }));
  const sum = lines.reduce((all, line) => all + line.priceMinor * BigInt(line.quantity), 0n);
  const reduced = pricing?.promocode ?? null;
  const promocode = reduced && { code: reduced.code, amount: BigInt(reduced.discount) };
  const bonus = BigInt(pricing?.bonus ?? 0);
  const amounts = { promocode: promocode?.amount ?? 0n, bonus };
  const goods = total - tip + amounts.promocode + bonus;
  const asked = askedOf(pricing, { goods, lines: sum });
  const parts = compose(lines, asked, amounts);
  const rest = goods - parts.adjusted;
  const whole =
    rest === 0n ? parts : compose(lines, [...asked, { fieldId: null, label: null, asked: rest }], amounts);
  return { ...whole, promocode, bonus };
}

/**
 * What cancelling and resuming an order need to know. Both are null in orders that are older than these
 * columns.
 */
export interface CancellingState {
  pricing: StoredPricing | null;
  cancellation: Cancellation | null;
}
