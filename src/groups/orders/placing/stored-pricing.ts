import type { Discount } from '../../promocodes/discount.js';
import type { OrderPrice } from './order-pricing.service.js';

/**
 * The parts of an order's price, as the order stores them. Amounts are minor units as text, because JSON
 * numbers end at 2^53.
 */
export interface StoredPricing {
  /** The adjustment by the checkout form's conditions; may be negative. */
  adjustment: string;
  promocode: (Discount & { id: string; code: string; discount: string; isUseLost?: true }) | null;
  /** The part paid with bonus. */
  bonus: string;
}

/**
 * What a cancellation returned, so that leaving CANCELLED takes exactly that again. Bonus is in major units.
 */
export interface Cancellation {
  /** The pieces, by the position of their line. */
  stock: [position: number, quantity: number][];
  promocodeUse: boolean;
  /** The spent bonus that was returned. */
  bonus: string;
  /** The earned cashback that was taken back. */
  cashback: string;
}

export function pricingOf({ adjustment, promocode, bonus }: OrderPrice): StoredPricing {
  return {
    adjustment: adjustment.toString(),
    promocode: promocode && {
      id: promocode.promocodeId,
      code: promocode.code,
      discountType: promocode.discountType,
      discountValue: promocode.discountValue,
      discount: promocode.discountMinor.toString(),
    },
    bonus: bonus.toString(),
  };
}

/**
 * What cancelling and resuming an order need to know. Both are null in orders that are older than these
 * columns.
 */
export interface CancellingState {
  pricing: StoredPricing | null;
  cancellation: Cancellation | null;
}
