import { currencyExponent, percentOf, roundDownToMinor, toMinorRoundedDown } from '../../platform/money.js';

/** The spec's `bonus` block of update_monetization. */
export interface BonusBlock {
  /** How much of an order bonus may pay, 0 to 100 percent. */
  maxPercentage: number;
  mutualExclusivityWithPromocode: boolean;
}

/** Decimals a bonus amount may have in a store of this currency: the currency's own, at most 2 (docs/behaviour.md §6.5). */
export function bonusDecimals(currency: string): number {
  return Math.min(currencyExponent(currency), 2);
}

/**
 * The most that bonus may pay of an order, in minor units: `maxPercentage` of the total, and no more than the balance
 * (a plain decimal in major units). Nothing beside a promocode when the two exclude each other. Rounded down to what
 * the ledger can hold: in a currency of 3 or 4 decimals, to the hundredth of the major unit.
 * Throws UnknownCurrency and InvalidAmount.
 */
export function maxSpendable(
  totalMinor: bigint,
  balanceMajor: string,
  block: BonusBlock,
  hasPromocode: boolean,
  currency: string,
): bigint {
  if (hasPromocode && block.mutualExclusivityWithPromocode) return 0n;
  const share = roundDownToMinor(percentOf(totalMinor, block.maxPercentage));
  const balance = toMinorRoundedDown(balanceMajor, currency);
  const most = share < balance ? share : balance;
  const step = 10n ** BigInt(currencyExponent(currency) - bonusDecimals(currency));
  return most > 0n ? most - (most % step) : 0n;
}
