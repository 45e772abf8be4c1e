/** Deliveries under way at once, of all stores. Sockets are cheap; what waits is mostly other people's servers. */
const SLOTS = 512;
/** Of one store: where it starts, and how far answers in time can raise it. */
const FIRST_CAP = 2;
const TOP_CAP = 16;
/** Of one that answers slowly, and of one that does not answer: ten seconds each, what 30 changes a minute make is still sent within about a minute. */
const SLOW_CAP = 8;
const SILENT_CAP = 4;
/** Stores whose last attempt was slow, or that have none yet, leave at least a quarter of the slots to the others. */
const UNPROVEN_SLOTS = SLOTS * 0.75;
/** Stores remembered at most, those under way apart; the one idle the longest is forgotten, and starts anew when it is back. */
const MEMORY = 10_000;

export type Pace = 'prompt' | 'slow' | 'silent';

const CAPS: Record<Pace, number> = { prompt: TOP_CAP, slow: SLOW_CAP, silent: SILENT_CAP };

interface Lane {
  inFlight: number;
  cap: number;
  proven: boolean;
}

/**
 * Who may use how many slots, so that no store's endpoint delays another's (docs/behaviour.md §7.6): a store may have `cap` deliveries
 * under way, one more with each answer in time, fewer after a slow one, fewest after none.
 */
export class StoreLanes {
  private readonly lanes = new Map<string, Lane>();
  private inFlight = 0;
  private unproven = 0;

  get total(): number {
    return this.inFlight;
  }

  /** How many deliveries each of the stores may start now, in their order. */
  admit(storeIds: Iterable<string>): { storeId: string; free: number }[] {
    let slots = SLOTS - this.inFlight;
    let unprovenSlots = UNPROVEN_SLOTS - this.unproven;
    const admitted: { storeId: string; free: number }[] = [];
    for (const storeId of storeIds) {
      if (slots <= 0) break;
      const lane = this.lanes.get(storeId) ?? { inFlight: 0, cap: FIRST_CAP, proven: false };
      const free = Math.min(lane.cap - lane.inFlight, slots, lane.proven ? slots : unprovenSlots);
      if (free <= 0) continue;
      admitted.push({ storeId, free });
      slots -= free;
      if (!lane.proven) unprovenSlots -= free;
    }
    return admitted;
  }

  start(storeId: string): void {
    const lane = this.lanes.get(storeId) ?? { inFlight: 0, cap: FIRST_CAP, proven: false };
    this.lanes.set(storeId, lane);
    lane.inFlight++;
    this.inFlight++;
    if (!lane.proven) this.unproven++;
  }

  /** @param pace how the endpoint answered, with whatever status; `silent`: not at all */
  finish(storeId: string, pace: Pace): void {
    const prompt = pace === 'prompt';
    const lane = this.lanes.get(storeId)!;
    this.inFlight--;
    if (!lane.proven) this.unproven--;
    lane.inFlight--;
    if (lane.proven !== prompt) this.unproven += prompt ? -lane.inFlight : lane.inFlight;
    lane.proven = prompt;
    lane.cap = Math.min(CAPS[pace], lane.cap + 1);
    if (lane.inFlight === 0) this.remember(storeId, lane);
  }

  /** Keeps the idle in the order in which they became so. Who is under way gets to the end when it is done. */
  private remember(storeId: string, lane: Lane): void {
    this.lanes.delete(storeId);
    this.lanes.set(storeId, lane);
    if (this.lanes.size <= MEMORY) return;
    for (const [oldest, { inFlight }] of this.lanes) if (inFlight === 0) return void this.lanes.delete(oldest);
  }
}
