import { DAY_MS } from '../../platform/clock.js';

/** How long an event is kept for readers of the feed (docs/behaviour.md §14). */
export const EVENTS_KEPT_MS = 30 * DAY_MS;
/**
 * How far back the feed reaches for a reader with a cursor, so that one that begins with the oldest event has
 * a day to go on, and one whose cursor has just not expired still finds everything after it.
 */
export const EVENTS_READ_MS = 31 * DAY_MS;
/**
 * The moment from which a cursor counts its 30 days if its reader has not come to the end of a feed: what
 * follows the last entry that was read is there until they are over.
 */
export const readUntil = (last: Date, now: number): number =>
  Math.min(now, last.getTime() + EVENTS_READ_MS - EVENTS_KEPT_MS);

/** Events older than this may be dropped, together with their month. */
export const EVENTS_DROPPED_MS = 32 * DAY_MS;
