import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Random bytes are requested for this many ids at once, because each request costs as much as the rest of ten
 * ids.
 */
const IDS_AT_ONCE = 256;
const BYTES = 16;

const random = new Uint8Array(IDS_AT_ONCE * BYTES);
let used = random.length;
/**
 * The time of the last id in milliseconds, and the sequence number that orders the ids of one millisecond.
 */
let msecs = 0;
let seq = 0;

/**
 * A new UUID version 7 as text. The ids of one process always rise, even within a millisecond and when the
 * clock is set back.
 */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const own = random.subarray(used, (used += BYTES));
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    // 31 of 32 bits, so that there is room to count up.
    seq = ((own[0] & 0x7f) << 24) | (own[1] << 16) | (own[2] << 8) | own[3];
  } else if ((seq = (seq + 1) | 0) === 0) {
    msecs++;
  }
  return v7({ random: own, msecs, seq });
}
