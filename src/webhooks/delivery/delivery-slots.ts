/** How soon an endpoint answers, with whatever status: within PROMPT_MS, later, not at all; unknown before its first attempt has ended. */
export type Pace = 'unknown' | 'prompt' | 'slow' | 'silent';

/** What an attempt counts as: of an endpoint that answers this process promptly, of one it has not heard yet, or one that is waited for. */
type Pool = 'prompt' | 'first' | 'late';
/** Stores that wait. Of those not heard yet: whether the database knows them to be prompt, and whether they rang or were found by a look. */
type Line = 'strangers' | 'prompt' | 'promptRang' | 'promptFound' | 'unknownRang' | 'unknownFound' | 'late';

/** An attempt that is not answered within so many milliseconds is late. */
export const PROMPT_MS = 2_000;
/**
 * Deliveries under way at once in one process. Those that wait for an answer cost a socket and nothing else, so there are many; what
 * is late leaves the other pools at once, and who is prompt never waits for who is not.
 */
const SLOTS: Record<Pool, number> = { prompt: 512, first: 512, late: 1024 };
/**
 * In this order stores are admitted, each line until so many slots of its pool are taken. Of what is not heard yet, the less speaks for
 * it the fewer it may take: behind a backlog of thousands that hang, a change of this moment finds a slot.
 */
const LINES: {
  line: Line;
  pool: Pool;
  limit: number;
  newestFirst?: boolean;
}[] = [
  { line: 'prompt', pool: 'prompt', limit: SLOTS.prompt },
  { line: 'promptRang', pool: 'first', limit: SLOTS.first, newestFirst: true },
  {
    line: 'unknownRang',
    pool: 'first',
    limit: SLOTS.first * 0.75,
    newestFirst: true,
  },
  { line: 'promptFound', pool: 'first', limit: SLOTS.first * 0.5 },
  { line: 'unknownFound', pool: 'first', limit: SLOTS.first * 0.25 },
  { line: 'late', pool: 'late', limit: SLOTS.late },
];
/** Of one store: it begins with one and has one more with each answer, up to these. A silent endpoint is tried with one delivery at a time. */
const CAPS: Record<Pace, number> = {
  unknown: 1,
  prompt: 16,
  slow: 8,
  silent: 1,
};
/** Stores of one line that start at once at most: a claim of thousands would hold up everyone else's. */
const BATCH = 128;
/** Idle stores remembered at most; who was idle the longest is forgotten, and what the database says of it counts when it is back. */
const MEMORY = 10_000;

interface Lane {
  readonly storeId: string;
  pace: Pace;
  /** The pace that the database has, null when it was not asked yet. */
  recorded: Pace | null;
  cap: number;
  inFlight: number;
  /** Answers to this process so far; they also distinguish an endpoint that hangs from a single request that does. */
  answers: number;
  /** Whether its last news was a doorbell's, so a change of this moment. */
  rang: boolean;
  line: Line | null;
  /** It has more due than it may start, and waits for its own slots. */
  wants: boolean;
}

/** One attempt under way. */
export interface Slot {
  /** No answer has come within PROMPT_MS: whoever is prompt must not wait for it. */
  late(): void;
  /** The attempt is over, and how soon it was answered. @returns the endpoint's pace when the database is to record it, else null */
  free(pace: Pace): Pace | null;
}

/**
 * Who may start how many deliveries, so that no store's endpoint delays another's (docs/behaviour.md §7.6, §7.8). It only decides
 * when an attempt may begin; what is due stays due.
 */
export class DeliverySlots {
  private readonly lanes = new Map<string, Lane>();
  private readonly used: Record<Pool, number> = {
    prompt: 0,
    first: 0,
    late: 0,
  };
  private readonly lines: Record<Line, Set<Lane>> = {
    strangers: new Set(),
    prompt: new Set(),
    promptRang: new Set(),
    promptFound: new Set(),
    unknownRang: new Set(),
    unknownFound: new Set(),
    late: new Set(),
  };

  /** Attempts under way. */
  get total(): number {
    return this.used.prompt + this.used.first + this.used.late;
  }

  /** The store has something due. @param rang whether a doorbell says so, not a sweep */
  want(storeId: string, rang: boolean): void {
    const lane = this.lane(storeId);
    lane.rang = rang || (lane.rang && lane.line !== null);
    // Whoever rings again is the newest again.
    if (rang && isNewestFirst(lane.line)) this.leave(lane);
    this.enqueue(lane);
  }

  /** Stores that wait and of which the database has not been asked yet. */
  strangers(): string[] {
    return [...this.lines.strangers].map(({ storeId }) => storeId);
  }

  /** What the database says of an endpoint. It counts when it is news: another process has learned it, or the endpoint is a new one. */
  learn(storeId: string, pace: Pace): void {
    const lane = this.lane(storeId);
    if (lane.recorded === pace) return;
    lane.recorded = pace;
    this.become(lane, pace);
  }

  /** How many deliveries each of those that wait may start now. They wait no more: who finds that many due must say so again. */
  admit(): { storeId: string; free: number }[] {
    const started = { ...this.used };
    return LINES.flatMap(({ line, pool, limit, newestFirst }) => {
      // The newest change is the likeliest to be of an endpoint that is not stuck.
      const lanes = newestFirst ? [...this.lines[line]].reverse() : this.lines[line];
      const admitted = this.admitFrom(lanes, limit - started[pool]);
      for (const { free } of admitted) started[pool] += free;
      return admitted;
    });
  }

  start(storeId: string): Slot {
    const lane = this.lane(storeId);
    let pool = poolOf(lane);
    const { answers } = lane;
    lane.inFlight++;
    this.used[pool]++;
    return {
      late: () => {
        this.used[pool]--;
        pool = 'late';
        this.used[pool]++;
        if (lane.answers === answers && lane.pace !== 'slow') this.become(lane, 'silent');
      },
      free: (pace) => {
        this.used[pool]--;
        lane.inFlight--;
        const hangsAlone = pace === 'silent' && lane.answers > answers;
        if (pace !== 'silent') lane.answers++;
        lane.cap++;
        this.become(lane, hangsAlone ? 'slow' : pace);
        if (lane.wants) this.enqueue(lane);
        if (lane.inFlight === 0) this.remember(lane);
        return this.news(lane);
      },
    };
  }

  private admitFrom(lanes: Iterable<Lane>, room: number): { storeId: string; free: number }[] {
    const admitted: { storeId: string; free: number }[] = [];
    for (const lane of lanes) {
      if (room <= 0 || admitted.length === BATCH) break;
      this.leave(lane);
      const free = Math.min(lane.cap - lane.inFlight, room);
      lane.wants = free <= 0;
      if (lane.wants) continue;
      admitted.push({ storeId: lane.storeId, free });
      room -= free;
    }
    return admitted;
  }

  private news(lane: Lane): Pace | null {
    if (lane.pace === lane.recorded) return null;
    return (lane.recorded = lane.pace);
  }

  /** Whoever waits already keeps its place. */
  private enqueue(lane: Lane): void {
    if (lane.line === lineOf(lane)) return;
    this.leave(lane);
    lane.wants = lane.recorded !== null && lane.inFlight >= lane.cap;
    if (lane.wants) return;
    lane.line = lineOf(lane);
    this.lines[lane.line].add(lane);
  }

  private leave(lane: Lane): void {
    if (lane.line) this.lines[lane.line].delete(lane);
    lane.line = null;
  }

  private become(lane: Lane, pace: Pace): void {
    lane.pace = pace;
    lane.cap = Math.min(lane.cap, CAPS[pace]);
    if (lane.line) this.enqueue(lane);
  }

  private lane(storeId: string): Lane {
    let lane = this.lanes.get(storeId);
    if (!lane) {
      const known = { pace: 'unknown', recorded: null, cap: 1 } as const;
      lane = {
        ...known,
        storeId,
        inFlight: 0,
        answers: 0,
        rang: false,
        line: null,
        wants: false,
      };
      this.lanes.set(storeId, lane);
    }
    return lane;
  }

  /** Keeps the idle in the order in which they became so. Who is under way or waits gets to the end when it is done. */
  private remember(lane: Lane): void {
    this.lanes.delete(lane.storeId);
    this.lanes.set(lane.storeId, lane);
    if (this.lanes.size <= MEMORY) return;
    for (const { storeId, inFlight, line } of this.lanes.values()) {
      if (inFlight === 0 && line === null) return void this.lanes.delete(storeId);
    }
  }
}

function poolOf({ pace, answers }: Lane): Pool {
  if (pace === 'slow' || pace === 'silent') return 'late';
  return pace === 'prompt' && answers > 0 ? 'prompt' : 'first';
}

function lineOf(lane: Lane): Line {
  if (lane.recorded === null) return 'strangers';
  const pool = poolOf(lane);
  if (pool !== 'first') return pool;
  return `${lane.pace as 'prompt' | 'unknown'}${lane.rang ? 'Rang' : 'Found'}`;
}

function isNewestFirst(line: Line | null): boolean {
  return line === 'promptRang' || line === 'unknownRang';
}
