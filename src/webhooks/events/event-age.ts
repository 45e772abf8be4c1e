const DAY_MS = 24 * 3_600_000;

/** How long an event is kept for readers of the feed (docs/behaviour.md §14). */
export const EVENTS_KEPT_MS = 30 * DAY_MS;
/**
 * How far back the feed reaches, so that a reader whose cursor has just not expired still finds everything
 * after it.
 */
export const EVENTS_READ_MS = 31 * DAY_MS;
/** Events older than this may be dropped, together with their month. */
export const EVENTS_DROPPED_MS = 32 * DAY_MS;
