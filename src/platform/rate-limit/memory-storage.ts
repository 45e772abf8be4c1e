import type { BudgetStorage, PeekResult, SpendResult, Window as Asked } from './budget-storage.js';

/** The times of the last admitted calls of one key, as a ring buffer. */
interface Window {
  times: Float64Array;
  /** The index of the next time. */
  next: number;
  count: number;
}

const SWEEP_MS = 60_000;
/** Most callers make few calls a minute. The ring doubles for those that make more. */
const FIRST_SIZE = 16;

/**
 * An exact sliding window in this process: at most `limit` calls are admitted in any period of `ttl` ms.
 * Refused calls do not count, so a caller that keeps trying is admitted again as soon as its oldest call has
 * left the window.
 */
export class MemoryThrottlerStorage implements BudgetStorage {
  private readonly windows = new Map<string, Window>();
  private lastSweep = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  async increment(key: string, ttl: number, limit: number): Promise<SpendResult> {
    return (await this.spend([{ key, limit }], ttl))[0];
  }

  async spend(asked: Asked[], ttl: number): Promise<SpendResult[]> {
    const now = this.now();
    if (now - this.lastSweep > SWEEP_MS) this.sweep(now, ttl);
    const windows = asked.map(({ key, limit }) => this.windowOf(key, limit, now - ttl));
    const isFull = windows.some(({ count }, i) => count >= asked[i].limit);
    return windows.map((window, i) => {
      const { limit } = asked[i];
      const isBlocked = window.count >= limit;
      if (!isFull) this.add(window, now);
      const seconds = this.secondsLeft(window, ttl, now);
      return {
        totalHits: isBlocked ? limit + 1 : window.count,
        timeToExpire: seconds,
        isBlocked,
        timeToBlockExpire: isBlocked ? seconds : 0,
        at: now,
      };
    });
  }

  async peek(key: string, ttl: number): Promise<PeekResult> {
    const now = this.now();
    const window = this.windows.get(key);
    if (window) this.forget(window, now - ttl);
    return { hits: window?.count ?? 0, seconds: this.secondsLeft(window, ttl, now) };
  }

  async giveBack(keys: string[], at: number): Promise<void> {
    for (const key of keys) {
      const window = this.windows.get(key);
      if (window) this.remove(window, at);
    }
  }

  /** The seconds until the oldest call leaves the window; the length of the window when it is empty. */
  private secondsLeft(window: Window | undefined, ttl: number, now: number): number {
    // Subtract in this order: adding a fraction to the window may round up and report one second too many.
    const left = window && window.count > 0 ? ttl - (now - this.oldest(window)) : ttl;
    return Math.max(1, Math.ceil(left / 1000));
  }

  /** The window of a key, without the calls that have left it. */
  private windowOf(key: string, limit: number, before: number): Window {
    let window = this.windows.get(key);
    if (!window) {
      window = { times: new Float64Array(Math.min(limit, FIRST_SIZE)), next: 0, count: 0 };
      this.windows.set(key, window);
    }
    this.forget(window, before);
    return window;
  }

  private add(window: Window, now: number): void {
    if (window.count === window.times.length) {
      const times = new Float64Array(window.times.length * 2);
      for (let i = 0; i < window.count; i++) times[i] = window.times[(window.next + i) % window.count];
      window.times = times;
      window.next = window.count;
    }
    window.times[window.next] = now;
    window.next = (window.next + 1) % window.times.length;
    window.count++;
  }

  /** Looks at the newest times first: it is one of them. Those after it move down by one. */
  private remove(window: Window, at: number): void {
    const { times, next, count } = window;
    const indexOf = (age: number) => (next - age + 2 * times.length) % times.length;
    let age = 1;
    while (age <= count && times[indexOf(age)] > at) age++;
    if (age > count || times[indexOf(age)] !== at) return;
    for (; age > 1; age--) times[indexOf(age)] = times[indexOf(age - 1)];
    window.next = indexOf(1);
    window.count--;
  }

  private oldest({ times, next, count }: Window): number {
    return times[(next - count + times.length) % times.length];
  }

  private forget(window: Window, before: number): void {
    while (window.count > 0 && this.oldest(window) <= before) window.count--;
  }

  private sweep(now: number, ttl: number): void {
    this.lastSweep = now;
    for (const [key, window] of this.windows) {
      this.forget(window, now - ttl);
      if (window.count === 0) this.windows.delete(key);
    }
  }
}
