import type { ThrottlerStorage } from '@nestjs/throttler';

/** @nestjs/throttler's storage, which can also be looked at without counting a call. */
export interface BudgetStorage extends ThrottlerStorage {
  /** @returns the calls in the window of `ttl` ms that ends now, and after how many seconds, at least 1, the oldest leaves it */
  peek(key: string, ttl: number): Promise<{ hits: number; seconds: number }>;
}
