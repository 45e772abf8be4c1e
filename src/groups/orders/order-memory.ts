import type { Discount } from '../promocodes/discount.js';
import type { OrderPrice } from './order-pricing.service.js';

/** How an order's price came about, as the order keeps it. Amounts are minor units as text: JSON numbers end at 2^53. */
export interface StoredPricing {
  /** What the checkout form's conditions added; negative where they took off. */
  adjustment: string;
  promocode: (Discount & { id: string; code: string; discount: string; isUseLost?: true }) | null;
  /** Paid with bonus. */
  bonus: string;
}

/** What cancelling gave back, so that leaving CANCELLED takes exactly that. Bonus is in major units. */
export interface Cancellation {
  /** Pieces by the position of their line. */
  stock: [position: number, quantity: number][];
  promocodeUse: boolean;
  /** Spent, and given back. */
  bonus: string;
  /** Earned, and taken back. */
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
