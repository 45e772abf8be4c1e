import { MAX_MINOR, toMajor, toMinor, TooManyDecimals } from '../money.js';
import { invalidInput } from '../errors.js';

/**
 * Requires that the currency can represent an amount in major units exactly (docs/behaviour.md §4.2): with at
 * most its decimals, and at most 2^53-1 minor units. A missing amount and null pass.
 * @param path the path of the amount in the input, such as `variants[0].values[1].price`
 * @throws OperationError invalid_input that names the path
 */
export function requireExactAmount(path: string, amount: number | null | undefined, currency: string): void {
  if (amount === undefined || amount === null) return;
  if (minorUnits(path, amount, currency) > MAX_MINOR) {
    throw invalidInput(`${path} must be at most ${toMajor(MAX_MINOR, currency)} ${currency}`).about(
      'amount_most',
      { path, most: toMajor(MAX_MINOR, currency) },
    );
  }
}

function minorUnits(path: string, amount: number, currency: string): bigint {
  try {
    return toMinor(amount, currency);
  } catch (error) {
    if (!(error instanceof TooManyDecimals)) throw error;
    throw invalidInput(`${path} has more decimals than ${currency} has (${error.allowed})`).about(
      'decimals',
      { path, decimals: error.allowed },
    );
  }
}
