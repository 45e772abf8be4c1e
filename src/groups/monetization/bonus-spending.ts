import {
  bonusDecimals,
  currencyExponent,
  percentOf,
  roundDownToMinor,
  toMinorRoundedDown,
} from '../../platform/money.js';

/** The spec's `bonus` block of update_monetization. */
export interface BonusBlock {
  /** The largest part of an order that bonus may pay, from 0 to 100 percent. */
  maxPercentage: number;
  mutualExclusivityWithPromocode: boolean;
}

/**
 * The largest part of an order that bonus may pay, in minor units: `maxPercentage` of the total, but not more
 * than the balance (a plain decimal in major units). It is 0 if there is a promocode and the two exclude each
 * other. It is rounded down to what the ledger can hold: in a currency with 3 or 4 decimals, to a hundredth
 * of the major unit. Throws UnknownCurrency and InvalidAmount.
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
