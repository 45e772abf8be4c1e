// What the service is told, and what it holds to (Dispatcher, DeliverySlots), as far as the faults reckon
// with it.

/** Seconds an endpoint has to answer; short, so that what a fault leaves behind comes due soon. */
export const TIMEOUT_S = 1;
/** The lease of a delivery is longer than the time-out by this. */
export const LEASE_MS = TIMEOUT_S * 1000 + 5_000;
/** Seconds after each failure. */
export const RETRY_DELAYS = [1, 1, 1, 1, 1];

const SLOTS = 512;
const STORE_SLOTS = 16;

/** What killed or frozen workers can leave to be repeated: all that each may have under way. */
export const underWay = (workers, stores) => workers * Math.min(SLOTS, stores.length * STORE_SLOTS);
