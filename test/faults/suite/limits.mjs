// What the service is told, and what it holds to, as far as the faults reckon with it.
import { CONCURRENT_ATTEMPTS, SLOTS } from '../../../dist/src/webhooks/delivery/delivery-slots.js';

/** Seconds an endpoint has to answer; short, so that what a fault leaves behind comes due soon. */
export const TIMEOUT_S = 1;
/** The lease of a delivery is longer than the time-out by this. */
export const LEASE_MS = TIMEOUT_S * 1000 + 5_000;
/** Seconds after each failure. */
export const RETRY_DELAYS = [1, 1, 1, 1, 1];

const IN_ALL = Object.values(SLOTS).reduce((sum, slots) => sum + slots, 0);
const OF_A_STORE = Math.max(...Object.values(CONCURRENT_ATTEMPTS));

/** What killed or frozen workers can leave to be repeated: all that each may have under way. */
export const underWay = (workers, stores) => workers * Math.min(IN_ALL, stores.length * OF_A_STORE);
