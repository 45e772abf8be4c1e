import { Injectable } from '@nestjs/common';
import { OperationError } from './errors.js';
import { networkOf } from './text/network.js';
import type { Call } from './store/call.js';

/** For whom something is done; their shares are counted. */
export interface Holder {
  storeId?: string;
  userId?: string;
  address?: string;
}

export interface Cap {
  /** What there may be so many of, as refusals name it. */
  things: string;
  /** The most at the same time, in this process. */
  total: number;
  /** Of them, the most of one store, of one person, and of one network (IPv4 /24, IPv6 /48). */
  perStore?: number;
  perPerson?: number;
  perNetwork?: number;
  retrySeconds: number;
  /** For `wait`: how long one waits for a place, and how many of one store, person or network may do so. */
  patienceMs?: number;
  inLine?: number;
}

/** Bodies count by the 16 KiB that they may take; a smaller one does not. */
export const BODY_UNIT = 16 * 1024;
const MIB = (1024 * 1024) / BODY_UNIT;
const BODIES = { things: 'unfinished bodies', retrySeconds: 1, patienceMs: 20_000, inLine: 100 };

/**
 * What the process does only so much of at the same time. No store, person or network can have all of it, so
 * that one of them at its worst leaves the others' calls as they were (docs/behaviour.md §2.6).
 */
export const CAPS = {
  /** Pictures that are being saved. Their bodies have come. */
  uploads: {
    things: 'uploads under way',
    total: 8,
    perStore: 2,
    perPerson: 2,
    perNetwork: 4,
    retrySeconds: 5,
    patienceMs: 20_000,
    inLine: 20,
  },
  /** Pictures of the database that are being sent to whoever looks at a shop. */
  pictures: {
    things: 'pictures being sent',
    total: 1_000,
    perStore: 500,
    perNetwork: 200,
    retrySeconds: 5,
    patienceMs: 10_000,
    inLine: 200,
  },
  exports: {
    things: 'exports under way',
    total: 8,
    perStore: 2,
    perPerson: 2,
    perNetwork: 4,
    retrySeconds: 15,
  },
  /** Live changes, over all pages that a person has open. */
  streams: {
    things: 'streams open',
    total: 2_000,
    perStore: 500,
    perPerson: 20,
    perNetwork: 500,
    retrySeconds: 30,
  },
  /** Calls that wait for something new in a feed. A partner of many shops calls from one network. */
  waits: {
    things: 'calls waiting for something new',
    total: 2_000,
    perStore: 100,
    perPerson: 50,
    perNetwork: 500,
    retrySeconds: 5,
  },
  /** Documents of other servers, in which OAuth clients describe themselves. */
  documents: {
    things: 'documents of apps being fetched',
    total: 8,
    perNetwork: 2,
    retrySeconds: 1,
    patienceMs: 2_500,
    inLine: 10,
  },
  /** Attempts at passwords and codes in the database, of whose connections others need the rest. */
  attempts: {
    things: 'attempts to sign in',
    total: 3,
    perNetwork: 1,
    retrySeconds: 2,
    patienceMs: 5_000,
    inLine: 30,
  },
  /** Hashes of passwords. Each takes a thread of the process' four for a tenth of a second. */
  passwords: {
    things: 'passwords being checked',
    total: 3,
    perNetwork: 1,
    perPerson: 1,
    retrySeconds: 2,
    patienceMs: 5_000,
    inLine: 30,
  },
  bodies: { ...BODIES, total: 64 * MIB, perStore: 16 * MIB, perPerson: 8 * MIB, perNetwork: 16 * MIB },
  /** Bodies of callers whom nobody knows yet. */
  strangersBodies: { ...BODIES, total: 16 * MIB, perNetwork: 4 * MIB },
  files: { ...BODIES, total: 64 * MIB, perStore: 16 * MIB, perPerson: 16 * MIB, perNetwork: 32 * MIB },
} satisfies Record<string, Cap>;

export type CapName = keyof typeof CAPS;

/** One of the holder's shares: how many of it are taken, and how many there may be. */
interface Share {
  key: string;
  who: string;
  most: number;
}

interface Waiting {
  shares: Share[];
  weight: number;
  admit(): void;
}

/** One cap: who holds its places, and who waits for one. */
class Line {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();
  private readonly waitingBy = new Map<string, number>();

  constructor(private readonly cap: Cap) {}

  sharesOf({ storeId, userId, address }: Holder): Share[] {
    const { perStore, perPerson, perNetwork } = this.cap;
    const shares: Share[] = [];
    const add = (kind: string, id: string | undefined, most: number | undefined, who: string) => {
      if (id !== undefined && most !== undefined) shares.push({ key: `${kind}:${id}`, who, most });
    };
    add('person', userId, perPerson, 'You have');
    add('store', storeId, perStore, 'This store has');
    add('network', address === undefined ? undefined : networkOf(address, 3, 3), perNetwork, NETWORK);
    return shares;
  }

  /** The share that has no room for so much more; null if all of them have. */
  full(shares: Share[], weight: number): Share | null {
    return shares.find(({ key, most }) => (this.heldBy.get(key) ?? 0) + weight > most) ?? null;
  }

  hasRoom(weight: number): boolean {
    return this.held + weight <= this.cap.total;
  }

  /** @returns a function that gives the place back; it may be called again */
  hold(shares: Share[], weight: number): () => void {
    this.held += weight;
    for (const { key } of shares) add(this.heldBy, key, weight);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.held -= weight;
      for (const { key } of shares) add(this.heldBy, key, -weight);
      this.advance();
    };
  }

  /** Whether as many as may be of one of the shares wait already. */
  isLong(shares: Share[]): boolean {
    const most = this.cap.inLine ?? 0;
    return shares.some(({ key }) => (this.waitingBy.get(key) ?? 0) >= most) || this.waiting.size >= 10 * most;
  }

  enter(one: Waiting): void {
    this.waiting.add(one);
    for (const { key } of one.shares) add(this.waitingBy, key, 1);
    this.advance();
  }

  leave(one: Waiting): void {
    if (!this.waiting.delete(one)) return;
    for (const { key } of one.shares) add(this.waitingBy, key, -1);
  }

  /**
   * Admits whoever waits, in their order. Those whose own share is full are passed over; nobody passes over
   * one for whom only the total has no room, who would otherwise wait for ever behind smaller ones.
   */
  private advance(): void {
    for (const one of this.waiting) {
      if (!this.hasRoom(one.weight)) return;
      if (this.full(one.shares, one.weight)) continue;
      this.leave(one);
      one.admit();
    }
  }
}

const NETWORK = 'Your network has';

function add(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Counts what is under way. Every limit of that kind is in the table above, every refusal is made here. */
@Injectable()
export class Caps {
  private readonly lines: Record<CapName, Line>;

  constructor() {
    const lines = Object.entries(CAPS).map(([name, cap]) => [name, new Line(cap)]);
    this.lines = Object.fromEntries(lines) as Record<CapName, Line>;
  }

  /**
   * @param call gets the header Retry-After of a refusal
   * @param weight how much of the cap it takes
   * @returns a function that gives the place back; it may be called again
   * @throws OperationError rate_limited
   */
  take(name: CapName, holder: Holder, call?: Pick<Call, 'setHeader'>, weight = 1): () => void {
    const line = this.lines[name];
    const shares = line.sharesOf(holder);
    const full = line.full(shares, weight);
    if (full || !line.hasRoom(weight)) throw refusal(name, full, call);
    return line.hold(shares, weight);
  }

  /** Like `take`, but waits for a place. @throws OperationError rate_limited if none becomes free in time */
  async wait(name: CapName, holder: Holder, call?: Pick<Call, 'setHeader'>, weight = 1): Promise<() => void> {
    const line = this.lines[name];
    const shares = line.sharesOf(holder);
    if (line.isLong(shares)) throw refusal(name, line.full(shares, weight), call);
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        shares,
        weight,
        admit: () => {
          clearTimeout(timer);
          resolve(line.hold(shares, weight));
        },
      };
      const { patienceMs = 0 }: Cap = CAPS[name];
      const timer = setTimeout(() => {
        line.leave(one);
        reject(refusal(name, line.full(shares, weight), call));
      }, patienceMs);
      line.enter(one);
    });
  }

  /** Does something within a cap, after waiting for a place. @throws OperationError rate_limited */
  async within<Result>(
    name: CapName,
    holder: Holder,
    call: Pick<Call, 'setHeader'> | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const free = await this.wait(name, holder, call);
    try {
      return await work();
    } finally {
      free();
    }
  }
}

/** @param full the share of the caller that has no room; null if the cap as a whole has none */
function refusal(name: CapName, full: Share | null, call?: Pick<Call, 'setHeader'>): OperationError {
  const { things, retrySeconds }: Cap = CAPS[name];
  call?.setHeader('Retry-After', String(retrySeconds));
  const who = full?.who ?? 'There are';
  const message = `${who} too many ${things} at once; try again in ${retrySeconds} s`;
  return new OperationError('rate_limited', message, retrySeconds);
}
