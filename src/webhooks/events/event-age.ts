const DAY_MS = 24 * 3_600_000;

/** How long an event is kept for whoever polls (docs/behaviour.md §14). */
export const EVENTS_KEPT_MS = 30 * DAY_MS;
/** How far back the feed reaches: a reader whose cursor is just young enough finds all that came after it. */
export const EVENTS_READ_MS = 31 * DAY_MS;
/** What is older may be dropped, with its month. */
export const EVENTS_DROPPED_MS = 32 * DAY_MS;
