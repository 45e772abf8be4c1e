import { percentOf, roundDownToMinor, toMinorRoundedDown } from '../../platform/money.js';

/**
 * The fields of a promocode that determine its discount. `discountValue` is a plain decimal: percent, or
 * major units of the store's currency.
 */
export interface Discount {
  discountType: 'PERCENTAGE' | 'FIXED_AMOUNT';
  discountValue: string;
}

/** The fields of a promocode that determine whether it may be used. */
export interface PromocodeAvailability {
  isActive: boolean;
  expiresAt: Date | null;
  maxUses: number | null;
  usedCount: number;
}

/**
 * The discount of a promocode on `subtotalMinor`, in minor units, from 0 to the subtotal. It is rounded down
 * to the minor unit, so that the shop never gives more than it stated. Throws UnknownCurrency and
 * InvalidAmount.
 */
export function discountMinor(promocode: Discount, subtotalMinor: bigint, currency: string): bigint {
  const stated =
    promocode.discountType === 'PERCENTAGE'
      ? roundDownToMinor(percentOf(subtotalMinor, promocode.discountValue))
      : toMinorRoundedDown(promocode.discountValue, currency);
  if (stated <= 0n || subtotalMinor <= 0n) return 0n;
  return stated < subtotalMinor ? stated : subtotalMinor;
}

/**
 * Why the promocode may not be used at `now`, or null if it may. It is expired from `expiresAt` on. For
 * `maxUses` the answer is certain only while the row is locked, as in the transaction that places an order.
 */
export function unusableReason(
  promocode: PromocodeAvailability,
  now: Date,
): null | 'inactive' | 'expired' | 'used_up' {
  if (!promocode.isActive) return 'inactive';
  if (promocode.expiresAt !== null && promocode.expiresAt <= now) return 'expired';
  if (promocode.maxUses !== null && promocode.usedCount >= promocode.maxUses) return 'used_up';
  return null;
}
