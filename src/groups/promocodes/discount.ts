import { percentOf, roundDownToMinor, toMinorRoundedDown } from '../../platform/money.js';

/** What of a promocode prices an order. `discountValue` is a plain decimal: percent, or major units of the store's currency. */
export interface Discount {
  discountType: 'PERCENTAGE' | 'FIXED_AMOUNT';
  discountValue: string;
}

/** What of a promocode says whether it may still be used. */
export interface PromocodeAvailability {
  isActive: boolean;
  expiresAt: Date | null;
  maxUses: number | null;
  usedCount: number;
}

/**
 * What the promocode takes off `subtotalMinor`, in minor units: between 0 and the subtotal. Rounded down to the minor
 * unit, so that the shop never gives more than it stated. Throws UnknownCurrency and InvalidAmount.
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
 * Why the promocode may not be used at `now`, or null when it may. It is expired from `expiresAt` on. Advice only for
 * `maxUses`: the placing transaction counts the use atomically.
 */
export function isUsable(promocode: PromocodeAvailability, now: Date): null | 'inactive' | 'expired' | 'used_up' {
  if (!promocode.isActive) return 'inactive';
  if (promocode.expiresAt !== null && promocode.expiresAt <= now) return 'expired';
  if (promocode.maxUses !== null && promocode.usedCount >= promocode.maxUses) return 'used_up';
  return null;
}
