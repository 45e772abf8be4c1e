import type { Config } from '../config/config.js';
import { networkOf } from '../text/network.js';

/** The store, person and address that a request counts against. */
export interface Requester {
  storeId?: string;
  userId?: string;
  address?: string;
}

/** What the operator decides. */
export type Sizes = Pick<Config, 'databasePool'>;

export interface Cap {
  /** What there may be so many of, as refusals name it. */
  things: string;
  /** The most at the same time, in this process. */
  total: number | ((config: Sizes) => number);
  /**
   * The most of one store, of one person, and of one network (IPv4 /24, IPv6 /48). A store with a
   * `fair` share may take one more while it has fewer than are free: alone it gets half, two get a third
   * each, and one is left for a store that has none.
   */
  perStore?: number | 'fair';
  perPerson?: number;
  perNetwork?: number;
  retrySeconds: number;
  /** For `wait`: how long one waits for a place, and how many of one store, person or network may do so. */
  maxWaitMs?: number;
  maxWaiting?: number;
}

/** What one store, person or network has of a cap. It is known while it holds or waits for something. */
export interface Share {
  readonly who: string;
  /** Null: fewer than are free. */
  readonly most: number | null;
  readonly id: string;
  /** Those of its kind that are known. */
  readonly known: Map<string, Share>;
  held: number;
  waiting: number;
}

export interface Waiting {
  shares: Share[];
  weight: number;
  admit(): void;
}

/** One cap: who holds its places, and who waits for one. */
export class Line {
  private held = 0;
  private readonly persons = new Map<string, Share>();
  private readonly stores = new Map<string, Share>();
  private readonly networks = new Map<string, Share>();
  /** The requests that wait, by requester; the next one to be admitted comes first. */
  private readonly queues = new Map<Share | string, Set<Waiting>>();
  waiting = 0;
  refused = 0;

  constructor(
    private readonly cap: Cap,
    private readonly total: number,
  ) {}

  limitsFor({ storeId, userId, address }: Requester): Share[] {
    const { perStore, perPerson, perNetwork } = this.cap;
    const shares: Share[] = [];
    if (userId !== undefined && perPerson !== undefined)
      shares.push(shareOf(this.persons, userId, perPerson, 'You have'));
    if (storeId !== undefined && perStore !== undefined)
      shares.push(shareOf(this.stores, storeId, perStore === 'fair' ? null : perStore, 'This store has'));
    if (address !== undefined && perNetwork !== undefined)
      shares.push(shareOf(this.networks, networkOf(address, 3, 3), perNetwork, 'Your network has'));
    return shares;
  }

  /** The share that has no room for so much more; null if all of them have. */
  full(shares: Share[], weight: number): Share | null {
    return shares.find((share) => !this.hasShare(share, weight)) ?? null;
  }

  isFree(shares: Share[], weight: number): boolean {
    return this.hasRoom(weight) && this.full(shares, weight) === null;
  }

  /** Whether somebody who would wait need not, and passes over nobody who does. */
  isOpen(shares: Share[], weight: number): boolean {
    if (!this.isFree(shares, weight)) return false;
    // Where every place is of one size, a free one is none that those of other holders could have.
    return this.queues.size === 0 || (this.cap.perStore === 'fair' && !this.queues.has(holderOf(shares)));
  }

  /** @returns a function that gives the place back; it may be called again */
  hold(shares: Share[], weight: number): () => void {
    this.held += weight;
    for (const share of shares) count(share, weight, 0);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.held -= weight;
      for (const share of shares) count(share, -weight, 0);
      if (this.queues.size > 0) this.advance();
    };
  }

  /** Whether as many as may be of one of the shares wait already. */
  isLong(shares: Share[]): boolean {
    const { maxWaiting = 0, perStore } = this.cap;
    if (shares.some(({ waiting }) => waiting >= maxWaiting)) return true;
    // Every store has a queue of its own, so no number of others makes it too long.
    return perStore !== 'fair' && this.waiting >= 10 * maxWaiting;
  }

  enter(one: Waiting): void {
    const holder = holderOf(one.shares);
    const queue = this.queues.get(holder) ?? new Set();
    this.queues.set(holder, queue.add(one));
    for (const share of one.shares) count(share, 0, 1);
    this.waiting++;
    this.advance();
  }

  leave(one: Waiting): void {
    const holder = holderOf(one.shares);
    const queue = this.queues.get(holder);
    if (!queue?.delete(one)) return;
    if (queue.size === 0) this.queues.delete(holder);
    for (const share of one.shares) count(share, 0, -1);
    this.waiting--;
  }

  private hasRoom(weight: number): boolean {
    return this.held + weight <= this.total;
  }

  private hasShare({ held, most }: Share, weight: number): boolean {
    return most === null ? held < this.total - this.held : held + weight <= most;
  }

  /**
   * Admits whoever waits: the queues of holders in turn, one of each, so that its cost does not grow with how
   * many wait. Holders whose own share is full are passed over; nobody passes over one for whom only the
   * total has no room, who would otherwise wait for ever behind smaller ones.
   */
  private advance(): void {
    for (const [holder, queue] of this.queues) {
      const [one] = queue;
      if (!this.hasRoom(one.weight)) return;
      if (this.full(one.shares, one.weight)) continue;
      this.leave(one);
      // Its next turn comes after everybody else's.
      if (this.queues.delete(holder)) this.queues.set(holder, queue);
      one.admit();
    }
  }
}

function shareOf(known: Map<string, Share>, id: string, most: number | null, who: string): Share {
  return known.get(id) ?? { who, most, id, known, held: 0, waiting: 0 };
}

function count(share: Share, held: number, waiting: number): void {
  const { known, id } = share;
  if (share.held === 0 && share.waiting === 0) known.set(id, share);
  share.held += held;
  share.waiting += waiting;
  if (share.held === 0 && share.waiting === 0) known.delete(id);
}

const holderOf = (shares: Share[]): Share | string =>
  shares.length === 1 ? shares[0] : shares.map(({ who, id }) => `${who} ${id}`).join(' ');
