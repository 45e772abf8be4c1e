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

/** One of the holder's shares: how many of it are taken, and how many there may be. */
export interface Share {
  key: string;
  who: string;
  /** Null: fewer than are free. */
  most: number | null;
}

export interface Waiting {
  shares: Share[];
  weight: number;
  admit(): void;
}

/** One cap: who holds its places, and who waits for one. */
export class Line {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  /** The requests that wait, by requester; the next one to be admitted comes first. */
  private readonly queues = new Map<string, Set<Waiting>>();
  private readonly waitingBy = new Map<string, number>();
  waiting = 0;
  refused = 0;

  constructor(
    private readonly cap: Cap,
    private readonly total: number,
  ) {}

  limitsFor({ storeId, userId, address }: Requester): Share[] {
    const { perStore, perPerson, perNetwork } = this.cap;
    const shares: Share[] = [];
    const add = (kind: string, id: string | undefined, most: number | 'fair' | undefined, who: string) => {
      if (id !== undefined && most !== undefined)
        shares.push({ key: `${kind}:${id}`, who, most: most === 'fair' ? null : most });
    };
    add('person', userId, perPerson, 'You have');
    add('store', storeId, perStore, 'This store has');
    add('network', address === undefined ? undefined : networkOf(address, 3, 3), perNetwork, NETWORK);
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
    for (const { key } of shares) add(this.heldBy, key, weight);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.held -= weight;
      for (const { key } of shares) add(this.heldBy, key, -weight);
      if (this.queues.size > 0) this.advance();
    };
  }

  /** Whether as many as may be of one of the shares wait already. */
  isLong(shares: Share[]): boolean {
    const { maxWaiting = 0, perStore } = this.cap;
    if (shares.some(({ key }) => (this.waitingBy.get(key) ?? 0) >= maxWaiting)) return true;
    // Every store has a queue of its own, so no number of others makes it too long.
    return perStore !== 'fair' && this.waiting >= 10 * maxWaiting;
  }

  enter(one: Waiting): void {
    const holder = holderOf(one.shares);
    const queue = this.queues.get(holder) ?? new Set();
    this.queues.set(holder, queue.add(one));
    for (const { key } of one.shares) add(this.waitingBy, key, 1);
    this.waiting++;
    this.advance();
  }

  leave(one: Waiting): void {
    const holder = holderOf(one.shares);
    const queue = this.queues.get(holder);
    if (!queue?.delete(one)) return;
    if (queue.size === 0) this.queues.delete(holder);
    for (const { key } of one.shares) add(this.waitingBy, key, -1);
    this.waiting--;
  }

  private hasRoom(weight: number): boolean {
    return this.held + weight <= this.total;
  }

  private hasShare({ key, most }: Share, weight: number): boolean {
    const held = this.heldBy.get(key) ?? 0;
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

const NETWORK = 'Your network has';

const holderOf = (shares: Share[]): string => shares.map(({ key }) => key).join(' ');

function add(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
