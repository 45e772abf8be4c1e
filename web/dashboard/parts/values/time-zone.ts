import { words } from '../../words';
import { addDays, isTimeZone, momentAt, startOfDay, zonedTime } from '../../../../src/stores/time-zone.js';

/** The open store's time zone, by which pages show times and take them. The router sets it with the store. */
export let timeZone = 'UTC';

/** A browser that does not know a zone shows UTC. */
export const setTimeZone = (zone: string) => void (timeZone = isTimeZone(zone) ? zone : 'UTC');

/** The zone of the browser, which may not be the store's. */
export const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Adds the zone's name to a hint, for a reader whose own clock shows another time. */
export function withZone(hint = ''): string | undefined {
  const now = new Date();
  const isOwn = zonedTime(now, timeZone) === zonedTime(now, ownTimeZone());
  return (isOwn ? hint : `${hint} ${words.common.zone(timeZone)}`.trim()) || undefined;
}

/** The last years of the calendar have no day after them. */
const isBeforeTheEnd = (local: string) => local < '9999';

/** Converts to the format of a native date and time input, which has a local time without a zone. */
export const localTime = (iso: string | null | undefined) =>
  iso ? zonedTime(new Date(iso), timeZone).slice(0, 16) : '';

export function utcTime(local: string): string | null {
  const typed = new Date(`${local}Z`);
  if (Number.isNaN(typed.getTime()) || !isBeforeTheEnd(local)) return null;
  return momentAt(typed, timeZone).toISOString();
}

/** The first and the last moment of a day, "2026-05-04"; undefined if it is none. */
export function momentsOf(day = ''): { first?: string; last?: string } {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)) || !isBeforeTheEnd(day)) return {};
  const end = startOfDay(addDays(day, 1), timeZone).getTime() - 1;
  return { first: startOfDay(day, timeZone).toISOString(), last: new Date(end).toISOString() };
}
