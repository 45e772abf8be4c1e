import type { Peer } from '../peer.js';
import type { BudgetStorage, PeekResult, SpendResult, Window } from './budget-storage.js';
import { MemoryThrottlerStorage } from './memory-storage.js';

/** Counts in the parent process, where all processes of this machine count, so that they share one budget. */
export class ParentThrottlerStorage implements BudgetStorage {
  /** Used only in the short time between the end of the parent and the end of this process. */
  private readonly alone = new MemoryThrottlerStorage();

  constructor(private readonly parent: Peer) {}

  async increment(key: string, ttl: number, limit: number): Promise<SpendResult> {
    return (
      (await this.parent.ask<SpendResult>('spend', key, ttl, limit)) ?? this.alone.increment(key, ttl, limit)
    );
  }

  async spend(windows: Window[], ttl: number): Promise<SpendResult[]> {
    return (await this.parent.ask<SpendResult[]>('spendAll', windows, ttl)) ?? this.alone.spend(windows, ttl);
  }

  async peek(key: string, ttl: number): Promise<PeekResult> {
    return (await this.parent.ask<PeekResult>('peek', key, ttl)) ?? this.alone.peek(key, ttl);
  }

  async giveBack(keys: string[], at: number): Promise<void> {
    await this.parent.ask('giveBack', keys, at);
  }
}

/** Lets a child process count in this one. */
export function countFor(child: Peer, storage: MemoryThrottlerStorage): void {
  child.on('spend', (key: string, ttl: number, limit: number) => storage.increment(key, ttl, limit));
  child.on('spendAll', (windows: Window[], ttl: number) => storage.spend(windows, ttl));
  child.on('peek', (key: string, ttl: number) => storage.peek(key, ttl));
  child.on('giveBack', (keys: string[], at: number) => storage.giveBack(keys, at));
}
