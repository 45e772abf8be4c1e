import { addDays, dayAt, startOfDay } from '../../stores/time-zone.js';

export const TIME_GROUPS = ['day', 'week', 'month'] as const;
export type TimeGroup = (typeof TIME_GROUPS)[number];
export const isTimeGroup = (group: string): group is TimeGroup =>
  (TIME_GROUPS as readonly string[]).includes(group);

/** The most days, weeks or months of a report. */
export const MAX_SPANS = 400;

/** A day, a week from Monday, or a month of a time zone's calendar. */
export interface Span {
  /** Its first day as YYYY-MM-DD, of a month YYYY-MM. */
  key: string;
  start: Date;
}

const isDay = (day: string) => /^\d{4}-/.test(day);

/** The first day of the span that contains a day. */
function firstDay(day: string, group: TimeGroup): string {
  if (group === 'day') return day;
  if (group === 'month') return `${day.slice(0, 7)}-01`;
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** The first day of the next span. */
function nextDay(day: string, group: TimeGroup): string {
  if (group === 'day') return addDays(day, 1);
  return group === 'week' ? addDays(day, 7) : firstDay(addDays(day, 31), 'month');
}

/**
 * The spans that a window touches. The calendar ends with the year 9999.
 * @param most how many there may be; one more is made then
 */
export function calendarSpans(
  from: Date,
  to: Date,
  group: TimeGroup,
  timeZone: string,
  most: number,
): Span[] {
  const spans: Span[] = [];
  const first = dayAt(from, timeZone);
  if (!isDay(first)) return spans;
  for (let day = firstDay(first, group); isDay(day) && spans.length <= most; day = nextDay(day, group)) {
    const start = startOfDay(day, timeZone);
    if (start >= to) break;
    spans.push({ key: group === 'month' ? day.slice(0, 7) : day, start });
  }
  return spans;
}
