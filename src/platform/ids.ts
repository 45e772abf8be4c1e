import { v7 } from 'uuid';

/**
 * A new UUID version 7 as text. The ids of one process always rise, even within a millisecond and when the
 * clock is set back, which the library takes care of.
 */
export const newId = (): string => v7();
