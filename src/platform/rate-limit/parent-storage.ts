import type { Peer } from '../peer.js';
import type { BudgetStorage, Peeked, Spent } from './budget-storage.js';
import { MemoryThrottlerStorage } from './memory-storage.js';

/** Counts where all processes of this machine count: in their parent, so that a budget is one however many there are. */
export class ParentThrottlerStorage implements BudgetStorage {
  /** Only for the moment in which the parent is gone and this process is not yet. */
  private readonly alone = new MemoryThrottlerStorage();

  constructor(private readonly parent: Peer) {}

  async increment(key: string, ttl: number, limit: number): Promise<Spent> {
    return (await this.parent.ask<Spent>('spend', key, ttl, limit)) ?? this.alone.increment(key, ttl, limit);
  }

  async peek(key: string, ttl: number): Promise<Peeked> {
    return (await this.parent.ask<Peeked>('peek', key, ttl)) ?? this.alone.peek(key, ttl);
  }
}

/** Lets a child count here. */
export function countFor(child: Peer, storage: MemoryThrottlerStorage): void {
  child.on('spend', (key: string, ttl: number, limit: number) => storage.increment(key, ttl, limit));
  child.on('peek', (key: string, ttl: number) => storage.peek(key, ttl));
}
