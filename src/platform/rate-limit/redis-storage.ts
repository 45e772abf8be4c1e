import type { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.js';
import type { BudgetStorage, Peeked, Spent } from './budget-storage.js';
import { MemoryThrottlerStorage } from './memory-storage.js';

/**
 * KEYS[1] is the window; ARGV holds its length in ms and the limit. The clock is Redis' own, so that
 * instances agree. Returns whether the call is admitted (1 or 0), the calls in the window, and the
 * milliseconds until the oldest one leaves it.
 */
const SLIDE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local ttl, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ttl)
local count = redis.call('ZCARD', KEYS[1])
local admitted = 0
if count < limit then
  admitted = 1
  count = count + 1
  redis.call('ZADD', KEYS[1], now, time[1] .. '.' .. time[2] .. '.' .. count)
  redis.call('PEXPIRE', KEYS[1], ttl)
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { admitted, count, math.ceil(ttl - (now - (tonumber(oldest[2]) or now))) }`;

/** How long a call waits for Redis before this process counts by itself. */
const COMMAND_TIMEOUT_MS = 250;
/** How often it then checks whether Redis answers again. */
const LOOK_MS = 1_000;

type SlidingRedis = Redis & {
  slide(key: string, ttl: number, limit: number): Promise<[number, number, number]>;
};

/**
 * The same sliding window, shared by all instances; each call runs one script. While Redis is unavailable
 * every instance counts by itself, so that calls are neither refused nor unlimited.
 */
export class RedisThrottlerStorage implements BudgetStorage {
  private readonly alone = new MemoryThrottlerStorage();
  /**
   * Set while Redis is connected but does not answer. No call waits for Redis until it has answered a ping.
   */
  private looking: NodeJS.Timeout | null = null;

  private constructor(
    private readonly redis: SlidingRedis,
    log: Logger,
  ) {
    this.redis.defineCommand('slide', { numberOfKeys: 1, lua: SLIDE });
    let reported = 0;
    this.redis.on('error', (error) => {
      if (Date.now() - reported < 60_000) return;
      reported = Date.now();
      log.warn({ err: error }, 'Redis is unavailable: this process counts rate limits by itself');
    });
    this.redis.connect().catch(() => undefined);
  }

  /** Does not wait for Redis. Its library is loaded only here, for the memory it takes. */
  static async open(url: string, log: Logger): Promise<RedisThrottlerStorage> {
    const { openRedis } = await import('../redis.js');
    const redis = openRedis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 2_000,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
      lazyConnect: true,
    });
    return new RedisThrottlerStorage(redis as SlidingRedis, log);
  }

  /** Whether calls are counted by Redis at this moment. */
  get isConnected(): boolean {
    return this.redis.status === 'ready' && this.looking === null;
  }

  async increment(key: string, ttl: number, limit: number): Promise<Spent> {
    const slid = await this.slide(key, ttl, limit);
    if (!slid) return this.alone.increment(key, ttl, limit);
    const { admitted, hits, seconds } = slid;
    return {
      totalHits: admitted ? hits : limit + 1,
      timeToExpire: seconds,
      isBlocked: !admitted,
      timeToBlockExpire: admitted ? 0 : seconds,
    };
  }

  /** A limit of 0 moves the window on without counting a call. */
  async peek(key: string, ttl: number): Promise<Peeked> {
    return (await this.slide(key, ttl, 0)) ?? this.alone.peek(key, ttl);
  }

  /** @returns null while Redis is unavailable */
  private async slide(key: string, ttl: number, limit: number) {
    if (!this.isConnected) return null;
    try {
      const [admitted, hits, expiresInMs] = await this.redis.slide(`shop:budget:${key}`, ttl, limit);
      return { admitted: admitted === 1, hits, seconds: Math.max(1, Math.ceil(expiresInMs / 1000)) };
    } catch {
      this.looking ??= setInterval(() => void this.look(), LOOK_MS).unref();
      return null;
    }
  }

  private async look(): Promise<void> {
    try {
      await this.redis.ping();
      this.stopLooking();
    } catch {
      // The next ping will tell.
    }
  }

  private stopLooking(): void {
    if (this.looking) clearInterval(this.looking);
    this.looking = null;
  }

  /** @throws Error when Redis does not answer at once */
  async ping(): Promise<void> {
    await this.redis.ping();
  }

  close(): void {
    this.stopLooking();
    this.redis.disconnect();
  }
}
