import type { ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.js';
import { MemoryThrottlerStorage } from './memory-storage.js';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** KEYS[1] window; ARGV ttl in ms, limit. Redis' own clock, so instances agree. Returns admitted (1 or 0), calls in the window, ms until the oldest leaves it. */
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
return { admitted, count, math.ceil(tonumber(oldest[2]) + ttl - now) }`;

/** How long a call waits for Redis before this process counts alone. */
const COMMAND_TIMEOUT_MS = 250;
/** How long it then goes on alone before it asks again. */
const ALONE_MS = 1_000;

type SlidingRedis = Redis & { slide(key: string, ttl: number, limit: number): Promise<[number, number, number]> };

/**
 * The same sliding window shared by all instances, one script call each. While Redis is away every instance counts for itself:
 * calls are neither refused nor unlimited because of it.
 */
export class RedisThrottlerStorage implements ThrottlerStorage {
  private readonly alone = new MemoryThrottlerStorage();
  private readonly redis: SlidingRedis;
  private aloneUntil = 0;

  constructor(url: string, log: Logger) {
    this.redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 2_000,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
      lazyConnect: true,
    }) as SlidingRedis;
    this.redis.defineCommand('slide', { numberOfKeys: 1, lua: SLIDE });
    let reported = 0;
    this.redis.on('error', (error) => {
      if (Date.now() - reported < 60_000) return;
      reported = Date.now();
      log.warn({ err: error }, 'Redis is away: rate limits are counted by this process alone');
    });
    this.redis.connect().catch(() => undefined);
  }

  async increment(key: string, ttl: number, limit: number): Promise<ThrottlerRecord> {
    if (this.redis.status !== 'ready' || performance.now() < this.aloneUntil) return this.alone.increment(key, ttl, limit);
    try {
      const [admitted, count, expiresInMs] = await this.redis.slide(`shop:budget:${key}`, ttl, limit);
      const seconds = Math.max(1, Math.ceil(expiresInMs / 1000));
      const isBlocked = admitted === 0;
      return {
        totalHits: isBlocked ? limit + 1 : count,
        timeToExpire: seconds,
        isBlocked,
        timeToBlockExpire: isBlocked ? seconds : 0,
      };
    } catch {
      // A Redis that hangs must not cost every call its time-out.
      this.aloneUntil = performance.now() + ALONE_MS;
      return this.alone.increment(key, ttl, limit);
    }
  }

  async ping(): Promise<void> {
    await this.redis.ping();
  }

  close(): void {
    this.redis.disconnect();
  }
}
