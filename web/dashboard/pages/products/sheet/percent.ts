import { toMinor } from '../../../parts/inputs/amounts';
import { type Line, readCell, type Typed, type Writing } from './lines';

/** To which amounts a price is rounded: multiples of `step`, less `less`, in minor units. */
export interface Rounding {
  step: number;
  less: number;
}

export const ROUNDINGS: Rounding[] = [
  { step: 1, less: 0 },
  { step: 10, less: 0 },
  { step: 100, less: 0 },
  { step: 1000, less: 0 },
  { step: 100, less: 1 },
];

/** In hundredths of a percent. */
const WHOLE = 10_000n;

/**
 * An amount of minor units raised by a percentage, or lowered by a negative one, and rounded half up. What
 * would be rounded to nothing keeps its exact value, and what costs something costs at least one unit.
 * @param hundredths of a percent
 */
export function byPercent(minor: number, hundredths: number, { step, less }: Rounding): number {
  const exact = BigInt(minor) * (WHOLE + BigInt(hundredths));
  const rounded = (to: bigint, off: bigint) =>
    Number(((2n * (exact + off * WHOLE) + to * WHOLE) / (2n * to * WHOLE)) * to - off);
  const found = rounded(BigInt(step), BigInt(less));
  if (found > 0 || minor === 0) return Math.max(0, found);
  return Math.max(1, rounded(1n, 0n));
}

export interface PercentChange {
  /** `salePrice` is set from the price, which stays. */
  column: 'price' | 'salePrice';
  percent: number;
  rounding: Rounding;
}

/** What the change types into the lines, from the prices that are typed or else stored. */
export function typedByPercent(
  lines: Line[],
  typed: Typed,
  { column, percent, rounding }: PercentChange,
  writing: Writing,
  write: (value: number) => string,
): Typed {
  const { decimals } = writing;
  return Object.fromEntries(
    lines.map((line) => {
      const text = typed[line.id]?.price;
      const price = (text === undefined ? undefined : readCell(text, 'price', writing)) ?? line.price ?? 0;
      const after = byPercent(toMinor(price, decimals), Math.round(percent * 100), rounding);
      return [line.id, { [column]: write(after / 10 ** decimals) }];
    }),
  );
}
