import type { ThrottlerStorage } from '@nestjs/throttler';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The times of the last admitted calls of one key, as a ring. */
interface Window {
  times: Float64Array;
  /** Where the next time goes; the oldest one stands there once the ring is full. */
  next: number;
  count: number;
}

const SWEEP_MS = 60_000;

/**
 * An exact sliding window in this process: never more than `limit` admitted calls in any `ttl`. Refused calls do not count, so a
 * caller that keeps trying is admitted again as soon as its oldest call is old enough.
 */
export class MemoryThrottlerStorage implements ThrottlerStorage {
  private readonly windows = new Map<string, Window>();
  private lastSweep = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  async increment(key: string, ttl: number, limit: number): Promise<ThrottlerRecord> {
    const now = this.now();
    if (now - this.lastSweep > SWEEP_MS) this.sweep(now, ttl);
    let window = this.windows.get(key);
    if (!window || window.times.length !== limit) {
      window = { times: new Float64Array(limit), next: 0, count: 0 };
      this.windows.set(key, window);
    }
    this.forget(window, now - ttl);
    const isBlocked = window.count >= limit;
    if (!isBlocked) {
      window.times[window.next] = now;
      window.next = (window.next + 1) % limit;
      window.count++;
    }
    const seconds = Math.max(1, Math.ceil((this.oldest(window) + ttl - now) / 1000));
    return {
      totalHits: isBlocked ? limit + 1 : window.count,
      timeToExpire: seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    };
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
