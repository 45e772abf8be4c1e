import { emailKey, tidy } from '../../platform/text/keys.js';

/** An address as it is stored, and letters go to it. Addresses are compared by `emailKey`. */
export const storedEmail = (email: string): string => tidy(email).toLowerCase();

/** Whether two addresses are one (docs/behaviour.md §6.18). */
export const isSameEmail = (one: string, other: string): boolean => emailKey(one) === emailKey(other);
