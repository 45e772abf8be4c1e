import { DAY_MS } from '../platform/clock.js';

/** Calendars of IANA time zones, by the runtime's own data alone, so that every part agrees. */

/** A zone's clock at a moment. */
interface LocalTime {
  /** YYYY-MM-DD */
  day: string;
  /** HH:MM:SS */
  time: string;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone, hourCycle: 'h23', calendar: 'iso8601', numberingSystem: 'latn' },
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
    clocks.set(timeZone, clock);
  }
  return clock;
}

/** Whether the runtime knows the zone by this name: `Europe/Kyiv`, `UTC`; not `+03:00`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

function localTime(moment: Date, timeZone: string): LocalTime {
  const part = Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = part;
  return { day: `${year.padStart(4, '0')}-${month}-${day}`, time: `${hour}:${minute}:${second}` };
}

/** The calendar day at a moment, YYYY-MM-DD. */
export const dayAt = (moment: Date, timeZone: string) => localTime(moment, timeZone).day;

/** How far the zone's clock is ahead of UTC at a moment, in ms. */
function offsetAt(moment: Date, timeZone: string): number {
  const { day, time } = localTime(moment, timeZone);
  const seconds = Math.floor(moment.getTime() / 1000) * 1000;
  // A year of five digits has a sign in ISO 8601, and six digits.
  const date = day.length > 'YYYY-MM-DD'.length ? `+0${day}` : day;
  return Date.parse(`${date}T${time}Z`) - seconds;
}

/** A moment in ISO 8601 with the zone's offset, `2026-05-04T12:30:00.000+03:00`; with `Z` in UTC. */
export function zonedTime(moment: Date, timeZone: string): string {
  const offset = offsetAt(moment, timeZone);
  if (offset === 0) return moment.toISOString();
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const local = new Date(moment.getTime() + offset).toISOString().slice(0, -1);
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The moment at which the zone's clock shows the local time, given as if in UTC; after a gap, its end. */
export function momentAt(local: Date, timeZone: string): Date {
  const before = new Date(local.getTime() - offsetAt(new Date(local.getTime() - DAY_MS), timeZone));
  const after = new Date(local.getTime() - offsetAt(new Date(local.getTime() + DAY_MS), timeZone));
  const isRight = (moment: Date) => moment.getTime() + offsetAt(moment, timeZone) === local.getTime();
  if (isRight(before)) return before;
  if (isRight(after)) return after;
  // The clock skips this time: by its offset before the gap, the moment is as long after the gap's beginning.
  return new Date(before);
}

/** The first moment of a calendar day. */
export function startOfDay(day: string, timeZone: string): Date {
  const local = new Date(`${day}T00:00:00Z`);
  const start = momentAt(local, timeZone);
  // A day that has no midnight begins where the gap ends.
  if (dayAt(new Date(start.getTime() - 1), timeZone) < day) return start;
  let [earlier, later] = [start.getTime() - 3 * HOUR_MS, start.getTime()];
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (dayAt(new Date(middle), timeZone) < day) earlier = middle;
    else later = middle;
  }
  return new Date(later);
}

const HOUR_MS = 3_600_000;

/** The calendar day so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same local time so many months earlier; for a day that the month lacks, its last one. */
export function monthsBefore(months: number, moment: Date, timeZone: string): Date {
  const local = new Date(moment.getTime() + offsetAt(moment, timeZone));
  const day = local.getUTCDate();
  local.setUTCMonth(local.getUTCMonth() - months);
  if (local.getUTCDate() !== day) local.setUTCDate(0);
  return momentAt(local, timeZone);
}

export const yearBefore = (moment: Date, timeZone: string): Date => monthsBefore(12, moment, timeZone);
