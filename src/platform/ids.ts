import { v7 } from 'uuid';

/**
 * A new UUID version 7 as text. The ids of one process always rise, even within a millisecond and when the
 * clock is set back, which the library takes care of.
 * @param at the time of the id, if it is not the present one. Ids of the same millisecond then have no order
 */
export const newId = (at?: Date): string => v7(at && { msecs: at.getTime() });
