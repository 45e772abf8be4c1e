import { addDays } from '../../../../src/stores/time-zone.js';
import { momentsOf } from '../values/time-zone';

/** From the first moment of a day of the store's calendar to the first one after another. */
export const windowOf = (first: string, last: string) => ({
  from: momentsOf(first).first!,
  to: momentsOf(addDays(last, 1)).first!,
});
