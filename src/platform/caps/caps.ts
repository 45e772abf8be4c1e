import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.js';
import { CallerLeft, OperationError } from '../errors.js';
import { outside } from '../held.js';
import { type Cap, type Requester, Line, type Share, type Sizes } from './line.js';

/** Bodies count by the 16 KiB that they may take; a smaller one does not. */
export const BODY_UNIT = 16 * 1024;
const MIB = (1024 * 1024) / BODY_UNIT;
const BODIES = { things: 'unfinished bodies', retrySeconds: 1, maxWaitMs: 20_000, inLine: 100 };

const longReadsOf = (pool: number) => Math.max(1, Math.floor(pool * 0.3));

/**
 * What the process does only so much of at the same time. No store, person or network can have all of it, so
 * that one of them at its worst leaves the others' calls as they were (docs/behaviour.md §2.6).
 */
export const CAPS = {
  /** Connections of the database for transactions. */
  connections: {
    things: 'calls under way',
    total: ({ databasePool }) => Math.max(1, databasePool - longReadsOf(databasePool)),
    perStore: 'fair',
    retrySeconds: 2,
    maxWaitMs: 10_000,
    maxWaiting: 100,
  },
  /** Connections for reports, searches and exports, of which each call has one at a time. */
  longReads: {
    things: 'reports, searches and exports under way',
    total: ({ databasePool }) => longReadsOf(databasePool),
    perStore: 'fair',
    retrySeconds: 2,
    maxWaitMs: 10_000,
    maxWaiting: 100,
  },
  /** Pictures that are being saved. Their bodies have come. */
  uploads: {
    things: 'uploads under way',
    total: 8,
    perStore: 2,
    perPerson: 2,
    perNetwork: 4,
    retrySeconds: 5,
    maxWaitMs: 20_000,
    maxWaiting: 20,
  },
  /** Pictures of the database that are being sent to whoever looks at a shop. */
  pictures: {
    things: 'pictures being sent',
    total: 1_000,
    perStore: 500,
    perNetwork: 200,
    retrySeconds: 5,
    maxWaitMs: 10_000,
    maxWaiting: 200,
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
    maxWaitMs: 2_500,
    maxWaiting: 10,
  },
  /** Attempts at passwords and codes in the database, of whose connections others need the rest. */
  attempts: {
    things: 'attempts to sign in',
    total: 3,
    perNetwork: 1,
    retrySeconds: 2,
    maxWaitMs: 5_000,
    maxWaiting: 30,
  },
  /** Hashes of passwords. Each takes a thread of the process' four for a tenth of a second. */
  passwords: {
    things: 'passwords being checked',
    total: 3,
    perNetwork: 1,
    perPerson: 1,
    retrySeconds: 2,
    maxWaitMs: 5_000,
    maxWaiting: 30,
  },
  /** Notices to members and messages to shoppers. An order is news for an hour, so they wait long. */
  notices: {
    things: 'notices under way',
    total: 64,
    perStore: 8,
    retrySeconds: 5,
    maxWaitMs: 20 * 60_000,
    maxWaiting: 2_000,
  },
  bodies: { ...BODIES, total: 64 * MIB, perStore: 16 * MIB, perPerson: 8 * MIB, perNetwork: 16 * MIB },
  /** Bodies of callers whom nobody knows yet. */
  strangersBodies: { ...BODIES, total: 16 * MIB, perNetwork: 4 * MIB },
  files: { ...BODIES, total: 64 * MIB, perStore: 16 * MIB, perPerson: 16 * MIB, perNetwork: 32 * MIB },
} satisfies Record<string, Cap>;

export type CapName = keyof typeof CAPS;

/** The answer that gets the header Retry-After of a refusal. */
interface Answering {
  setHeader(name: string, value: string): void;
}

interface WaitOptions {
  call?: Answering;
  /** How much of the cap it takes. */
  weight?: number;
  /** A signal that is aborted when the caller has left; asked for only if it has to wait. */
  leaves?: () => AbortSignal | undefined;
}

/** How long a call waits before it matters whether its caller is still there. */
export const FOLLOWED_AFTER_MS = 100;

/** Counts what is under way. Every limit of that kind is in the table above, every refusal is made here. */
@Injectable()
export class Caps {
  private readonly lines: Record<CapName, Line>;

  constructor(@Inject(CONFIG) sizes: Sizes) {
    const lines = Object.entries(CAPS as Record<string, Cap>).map(([name, cap]) => {
      const total = typeof cap.total === 'number' ? cap.total : cap.total(sizes);
      return [name, new Line(cap, total)];
    });
    this.lines = Object.fromEntries(lines) as Record<CapName, Line>;
  }

  /**
   * @param call gets the header Retry-After of a refusal
   * @param weight how much of the cap it takes
   * @returns a function that gives the place back; it may be called again
   * @throws OperationError rate_limited
   */
  take(name: CapName, requester: Requester, call?: Answering, weight = 1): () => void {
    const line = this.lines[name];
    const shares = line.limitsFor(requester);
    if (!line.isFree(shares, weight)) throw this.refuse(name, shares, weight, call);
    return line.hold(shares, weight);
  }

  /**
   * Like `take`, but waits for a place.
   * @throws OperationError rate_limited if none becomes free in time; CallerLeft
   */
  wait(
    name: CapName,
    requester: Requester,
    { call, weight = 1, leaves }: WaitOptions = {},
  ): (() => void) | Promise<() => void> {
    outside(`a turn of ${name}`);
    const line = this.lines[name];
    const shares = line.limitsFor(requester);
    // A place that is free costs no turn of the event loop.
    if (line.isOpen(shares, weight)) return line.hold(shares, weight);
    if (line.isLong(shares)) return Promise.reject(this.refuse(name, shares, weight, call));
    return new Promise((resolve, reject) => {
      const { maxWaitMs = 0 }: Cap = CAPS[name];
      let signal: AbortSignal | undefined;
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      };
      const giveUp = (error: Error) => {
        end();
        line.leave(one);
        reject(error);
      };
      const leave = () => giveUp(new CallerLeft());
      const late = () => giveUp(this.refuse(name, shares, weight, call));
      // Most wait so short that following the caller would cost more than the call.
      const follow = () => {
        signal = leaves!();
        timer = setTimeout(late, maxWaitMs - FOLLOWED_AFTER_MS);
        if (signal?.aborted) leave();
        else signal?.addEventListener('abort', leave);
      };
      let timer = leaves ? setTimeout(follow, FOLLOWED_AFTER_MS) : setTimeout(late, maxWaitMs);
      const admit = () => {
        end();
        resolve(line.hold(shares, weight));
      };
      const one = { shares, weight, admit };
      line.enter(one);
    });
  }

  /** Does something within a cap, after waiting for a place. @throws OperationError rate_limited */
  async within<Result>(
    name: CapName,
    requester: Requester,
    call: Answering | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const free = await this.wait(name, requester, { call });
    try {
      return await work();
    } finally {
      free();
    }
  }

  /** How many wait for a place, and how many were refused one. */
  figures(name: CapName): { waiting: number; refused: number } {
    const { waiting, refused } = this.lines[name];
    return { waiting, refused };
  }

  private refuse(name: CapName, shares: Share[], weight: number, call?: Answering) {
    const line = this.lines[name];
    line.refused++;
    const { things, retrySeconds }: Cap = CAPS[name];
    call?.setHeader('Retry-After', String(retrySeconds));
    // Without a share that is full, the cap as a whole has no room.
    const who = line.full(shares, weight)?.who ?? 'There are';
    const message = `${who} too many ${things} at once; try again in ${retrySeconds} s`;
    return new OperationError('rate_limited', message, retrySeconds);
  }
}
