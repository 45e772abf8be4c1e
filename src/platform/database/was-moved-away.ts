import { MOVED_TO } from '../errors.js';

/** Whether the row `s` of stores is what is left of a store that was moved away, in a statement. */
export const WAS_MOVED_AWAY = `coalesce(s.suspended_reason = '${MOVED_TO}' || s.moved_to, false)`;
