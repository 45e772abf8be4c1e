import type { AttemptResult } from './webhook-client.js';

/**
 * How soon an endpoint answers, with any status: within PROMPT_MS, later, or not at all; unknown until its
 * first attempt has ended.
 */
export type EndpointSpeed = 'unknown' | 'prompt' | 'slow' | 'silent';

/**
 * The line in which a store waits, and whose slots its attempts take: `slow` has slow and silent ones.
 */
type SlotLine = 'prompt' | 'unknown' | 'slow';

/** An attempt without an answer after this many milliseconds is late. */
export const PROMPT_MS = 2_000;
/**
 * How many deliveries of each line one process may have under way. Waiting for an answer costs only a socket,
 * so there are many. Late attempts move to `slow` at once, so that prompt endpoints never wait for others.
 */
export const SLOTS: Record<SlotLine, number> = { prompt: 512, unknown: 512, slow: 1024 };
/**
 * Which part of the slots of `unknown` is for stores that a look found. A new change, which a doorbell
 * announces, then finds a slot even behind a backlog of thousands that hang.
 */
const FOUND_SHARE = 0.5;
/**
 * The most slots of one store. It begins with one and gets one more with each answer. A silent endpoint gets
 * one delivery at a time.
 */
export const CONCURRENT_ATTEMPTS: Record<EndpointSpeed, number> = {
  unknown: 1,
  prompt: 16,
  slow: 8,
  silent: 1,
};
/**
 * The most stores of one line that are admitted at once, because a claim of thousands would delay all others.
 */
const BATCH = 128;
/**
 * How many idle stores are remembered. Those idle the longest are forgotten; their pace is read from the
 * database again later.
 */
const MEMORY = 10_000;

interface StoreState {
  readonly storeId: string;
  pace: EndpointSpeed;
  /** The pace in the database; null if it was not read yet. */
  recorded: EndpointSpeed | null;
  cap: number;
  inFlight: number;
  /**
   * The answers to this process so far. They also show whether the endpoint hangs or only a single request.
   */
  answers: number;
  /** Whether a doorbell announced the store last, which means a new change. */
  rang: boolean;
  /** The line in which it waits; `unloaded` until its pace was read from the database. */
  line: SlotLine | 'unloaded' | null;
  /** Whether it has more due than it may start, and waits for its own slots. */
  wants: boolean;
}

/** A store that may start so many deliveries now. */
interface Admitted {
  storeId: string;
  free: number;
}

/** One attempt under way. */
export interface Slot {
  /** To be called when no answer has come within PROMPT_MS: moves the attempt to the line `slow`. */
  late(): void;
  /**
   * Ends the attempt. @param pace how soon it was answered @returns the endpoint's pace if it must be
   * recorded, otherwise null
   */
  free(pace: EndpointSpeed): EndpointSpeed | null;
}

/**
 * Decides which stores may start how many deliveries, so that no store's endpoint delays another's
 * (docs/behaviour.md §7.6, §7.8). It only decides when an attempt may begin; deliveries stay due.
 */
export class DeliverySlots {
  private readonly stores = new Map<string, StoreState>();
  private readonly used: Record<SlotLine, number> = { prompt: 0, unknown: 0, slow: 0 };
  private readonly waiting: Record<SlotLine | 'unloaded', Set<StoreState>> = {
    unloaded: new Set(),
    prompt: new Set(),
    unknown: new Set(),
    slow: new Set(),
  };

  /** Attempts under way. */
  get total(): number {
    return this.used.prompt + this.used.unknown + this.used.slow;
  }

  /**
   * Puts a store that has something due into its line. @param rang whether a doorbell announced it, instead
   * of a look
   */
  want(storeId: string, rang: boolean): void {
    const state = this.state(storeId);
    state.rang = rang || (state.rang && state.line !== null);
    // A store that rings again becomes the newest again.
    if (rang && state.line === 'unknown') this.leave(state);
    this.enqueue(state);
  }

  /** Waiting stores whose pace was not read from the database yet. */
  withoutPace(): string[] {
    return [...this.waiting.unloaded].map(({ storeId }) => storeId);
  }

  /**
   * Takes over the pace in the database if it has changed, because another process recorded it or the
   * endpoint is new.
   */
  learn(storeId: string, pace: EndpointSpeed): void {
    const state = this.state(storeId);
    if (state.recorded === pace) return;
    state.recorded = pace;
    this.become(state, pace);
  }

  /**
   * Takes stores from their lines, each with the number of deliveries it may start now. If it has more due,
   * call `want` again.
   */
  admit(): Admitted[] {
    const { prompt, unknown, slow } = this.waiting;
    // The newest change is the most likely to belong to an endpoint that does not hang.
    const newest = [...unknown].reverse();
    const rang = this.admitFrom(
      newest.filter((state) => state.rang),
      SLOTS.unknown - this.used.unknown,
    );
    const taken = this.used.unknown + rang.reduce((sum, { free }) => sum + free, 0);
    return [
      ...this.admitFrom(prompt, SLOTS.prompt - this.used.prompt),
      ...rang,
      ...this.admitFrom(unknown, SLOTS.unknown * FOUND_SHARE - taken),
      ...this.admitFrom(slow, SLOTS.slow - this.used.slow),
    ];
  }

  start(storeId: string): Slot {
    const state = this.state(storeId);
    let line = lineOf(state.pace);
    const { answers } = state;
    state.inFlight++;
    this.used[line]++;
    return {
      late: () => {
        this.used[line]--;
        line = 'slow';
        this.used[line]++;
        if (state.answers === answers && state.pace !== 'slow') this.become(state, 'silent');
      },
      free: (pace) => {
        this.used[line]--;
        state.inFlight--;
        const hangsAlone = pace === 'silent' && state.answers > answers;
        if (pace !== 'silent') state.answers++;
        state.cap++;
        this.become(state, hangsAlone ? 'slow' : pace);
        if (state.wants) this.enqueue(state);
        if (state.inFlight === 0) this.remember(state);
        return this.news(state);
      },
    };
  }

  private admitFrom(stores: Iterable<StoreState>, room: number): Admitted[] {
    const admitted: Admitted[] = [];
    for (const state of stores) {
      if (room <= 0 || admitted.length === BATCH) break;
      this.leave(state);
      const free = Math.min(state.cap - state.inFlight, room);
      state.wants = free <= 0;
      if (state.wants) continue;
      admitted.push({ storeId: state.storeId, free });
      room -= free;
    }
    return admitted;
  }

  private news(state: StoreState): EndpointSpeed | null {
    if (state.pace === state.recorded) return null;
    return (state.recorded = state.pace);
  }

  /** A store that already waits keeps its place. */
  private enqueue(state: StoreState): void {
    const line = state.recorded === null ? 'unloaded' : lineOf(state.pace);
    if (state.line === line) return;
    this.leave(state);
    state.wants = state.recorded !== null && state.inFlight >= state.cap;
    if (state.wants) return;
    state.line = line;
    this.waiting[line].add(state);
  }

  private leave(state: StoreState): void {
    if (state.line) this.waiting[state.line].delete(state);
    state.line = null;
  }

  private become(state: StoreState, pace: EndpointSpeed): void {
    state.pace = pace;
    state.cap = Math.min(state.cap, CONCURRENT_ATTEMPTS[pace]);
    if (state.line) this.enqueue(state);
  }

  private state(storeId: string): StoreState {
    let state = this.stores.get(storeId);
    if (!state) {
      const known = { pace: 'unknown', recorded: null, cap: 1 } as const;
      state = { ...known, storeId, inFlight: 0, answers: 0, rang: false, line: null, wants: false };
      this.stores.set(storeId, state);
    }
    return state;
  }

  /** Keeps idle stores in the order in which they became idle. Others move to the end once they are done. */
  private remember(state: StoreState): void {
    this.stores.delete(state.storeId);
    this.stores.set(state.storeId, state);
    if (this.stores.size <= MEMORY) return;
    for (const { storeId, inFlight, line } of this.stores.values()) {
      if (inFlight === 0 && line === null) return void this.stores.delete(storeId);
    }
  }
}

const lineOf = (pace: EndpointSpeed): SlotLine => (pace === 'silent' ? 'slow' : pace);

/** The pace depends only on the time: an endpoint that refuses at once also frees its slot at once. */
export function paceOf({
  statusCode,
  durationMs,
}: Pick<AttemptResult, 'statusCode' | 'durationMs'>): EndpointSpeed {
  if (durationMs < PROMPT_MS) return 'prompt';
  return statusCode === null ? 'silent' : 'slow';
}
