import type { ThrottlerStorage } from '@nestjs/throttler';

/** What is known of a caller once a call is counted. */
export type Spent = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The calls in the window that ends now, and after how many seconds, at least 1, the oldest leaves it. */
export interface Peeked {
  hits: number;
  seconds: number;
}

/** @nestjs/throttler's storage, which can also be looked at without counting a call. What is at hand is answered without a promise. */
export interface BudgetStorage {
  /** Counts a call in the window of `ttl` ms, unless that has `limit` already. */
  increment(key: string, ttl: number, limit: number, blockDuration: number, name: string): Spent | Promise<Spent>;
  peek(key: string, ttl: number): Peeked | Promise<Peeked>;
}
