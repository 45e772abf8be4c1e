import type { ThrottlerStorage } from '@nestjs/throttler';

/** The state of a caller's budget after a call was counted. */
export type SpendResult = Awaited<ReturnType<ThrottlerStorage['increment']>> & {
  /** The time by which the storage knows the call in the window. */
  at: number;
};

/** The calls in the window that ends now, and the seconds until the oldest one leaves it (at least 1). */
export interface PeekResult {
  hits: number;
  seconds: number;
}

/** A window that a call is counted in, and how many calls it may hold. */
export interface Window {
  key: string;
  limit: number;
}

/**
 * @nestjs/throttler's storage, with a look that counts no call. `increment` counts a call in the window of
 * `ttl` ms, unless the window already holds `limit` calls.
 */
export interface BudgetStorage extends ThrottlerStorage {
  increment(...args: Parameters<ThrottlerStorage['increment']>): Promise<SpendResult>;
  /**
   * Counts a call in all of the windows, or in none of them if one is full. @returns their states, in the
   * same order
   */
  spend(windows: Window[], ttl: number): Promise<SpendResult[]>;
  peek(key: string, ttl: number): Promise<PeekResult>;
  /** Takes the call that was counted `at` this time out of the windows again, if they still hold it. */
  giveBack(keys: string[], at: number): Promise<void>;
}
