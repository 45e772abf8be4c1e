export const DAY_MS = 86_400_000;

/** Lengths, in days, of the spans that sales are added up over. One begins at each multiple of its length since 1970-01-01. */
export const SPAN_DAYS = [1, 3, 9, 27];

export interface Span {
  days: number;
  firstDay: string;
}

/**
 * As few spans as cover these days and no others. @param first @param last both included, numbers of days since 1970-01-01
 * @param isOpen whether the last span may go on beyond the last day, on which hardly anything has been sold
 */
export function spansOf(first: number, last: number, isOpen = false): Span[] {
  const spans: Span[] = [];
  for (let day = first; day <= last; day += spans[spans.length - 1].days) {
    const days = Math.max(...SPAN_DAYS.filter((length) => day % length === 0 && (isOpen || day + length - 1 <= last)));
    spans.push({ days, firstDay: dateOf(day) });
  }
  return spans;
}

/** @param day its number since 1970-01-01 */
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
