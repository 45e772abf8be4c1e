import { DAY_MS } from '../platform/clock.js';

/**
 * The lengths, in days, of the spans that sales are added up over. Spans begin at the multiples of their
 * length since 1970-01-01.
 */
export const SPAN_DAYS = [1, 3, 9, 27];

export interface Span {
  days: number;
  firstDay: string;
}

/**
 * Covers a range of days, and no day before it, with as few spans as possible.
 * @param first the first day, as the number of days since 1970-01-01
 * @param last the last day, which is included
 * @param isOpen whether the last span may go beyond the last day, because hardly anything has been sold after
 * it
 */
export function spansOf(first: number, last: number, isOpen = false): Span[] {
  const spans: Span[] = [];
  for (let day = first; day <= last; day += spans[spans.length - 1].days) {
    const days = Math.max(
      ...SPAN_DAYS.filter((length) => day % length === 0 && (isOpen || day + length - 1 <= last)),
    );
    spans.push({ days, firstDay: dateOf(day) });
  }
  return spans;
}

/** @param day the number of days since 1970-01-01 */
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
