import type { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.js';
import type { BudgetStorage, PeekResult, SpendResult, Window } from './budget-storage.js';
import { MemoryThrottlerStorage } from './memory-storage.js';

/**
 * KEYS are the windows; ARGV holds their length in ms and the limit of each. The clock is Redis' own, so that
 * instances agree. The call is counted in all windows, or in none if one is full. Returns for each whether it
 * had room (1 or 0), the calls in it, and the milliseconds until the oldest one leaves it; at the end the
 * time of the call in microseconds.
 */
const SLIDE = `
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = micros / 1000
local ttl = tonumber(ARGV[1])
local counts, rooms, admitted, result = {}, {}, true, {}
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ttl)
  counts[i] = redis.call('ZCARD', key)
  rooms[i] = counts[i] < tonumber(ARGV[i + 1]) and 1 or 0
  if rooms[i] == 0 then admitted = false end
end
for i, key in ipairs(KEYS) do
  if admitted then
    counts[i] = counts[i] + 1
    redis.call('ZADD', key, now, time[1] .. '.' .. time[2] .. '.' .. counts[i])
    redis.call('PEXPIRE', key, ttl)
  end
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  result[#result + 1] = rooms[i]
  result[#result + 1] = counts[i]
  result[#result + 1] = math.ceil(ttl - (now - (tonumber(oldest[2]) or now)))
end
result[#result + 1] = micros
return result`;
/** KEYS are the windows, of which the call of this time in microseconds is taken out. */
const GIVE_BACK = `
local at = string.format('%.17g', tonumber(ARGV[1]) / 1000)
for _, key in ipairs(KEYS) do
  local member = redis.call('ZRANGEBYSCORE', key, at, at, 'LIMIT', 0, 1)[1]
  if member then redis.call('ZREM', key, member) end
end`;
const MOST_REMEMBERED = 10_000;
/** How long a call waits for Redis before this process counts by itself. */
const COMMAND_TIMEOUT_MS = 250;
/** How often it then checks whether Redis answers again. */
const LOOK_MS = 1_000;

type SlidingRedis = Redis & {
  slide(keys: number, ...keysTtlAndLimits: (string | number)[]): Promise<number[]>;
  giveBack(keys: number, ...keysAndTime: (string | number)[]): Promise<null>;
};

/** What Redis says of a window: how many calls it holds, and when the oldest one leaves it. */
interface WindowState extends PeekResult {
  hasRoom: boolean;
  ms: number;
  at: number;
}

const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

const spent = (limit: number, { hasRoom, hits, seconds, at }: Omit<WindowState, 'ms'>): SpendResult => ({
  totalHits: hasRoom ? hits : limit + 1,
  timeToExpire: seconds,
  isBlocked: !hasRoom,
  timeToBlockExpire: hasRoom ? 0 : seconds,
  at,
});

const nameOf = (key: string) => `shop:budget:${key}`;

/**
 * The same sliding window, shared by all instances; each call runs one script. While Redis is unavailable
 * every instance counts by itself, so that calls are neither refused nor unlimited.
 */
export class RedisThrottlerStorage implements BudgetStorage {
  private readonly alone = new MemoryThrottlerStorage();
  /**
   * Windows that Redis says are full, and until when by this process' clock. They stay so until their oldest
   * call leaves them, so refusals until then need no Redis.
   */
  private readonly full = new Map<string, number>();
  /**
   * Set while Redis is connected but does not answer. No call waits for Redis until it has answered a ping.
   */
  private looking: NodeJS.Timeout | null = null;

  private constructor(
    private readonly redis: SlidingRedis,
    log: Logger,
  ) {
    this.redis.defineCommand('slide', { lua: SLIDE });
    this.redis.defineCommand('giveBack', { lua: GIVE_BACK });
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

  async increment(key: string, ttl: number, limit: number): Promise<SpendResult> {
    return (await this.spend([{ key, limit }], ttl))[0];
  }

  async spend(windows: Window[], ttl: number): Promise<SpendResult[]> {
    const left = windows.length === 1 ? (this.full.get(windows[0].key) ?? 0) - performance.now() : 0;
    if (left > 0)
      return [spent(windows[0].limit, { hasRoom: false, hits: 0, seconds: secondsOf(left), at: 0 })];
    const slid = await this.slide(windows, ttl);
    if (!slid) return this.alone.spend(windows, ttl);
    if (windows.length === 1) this.remember(windows[0].key, slid[0]);
    return windows.map(({ limit }, i) => spent(limit, slid[i]));
  }

  private remember(key: string, { hasRoom, ms }: WindowState): void {
    this.full.delete(key);
    if (hasRoom) return;
    if (this.full.size >= MOST_REMEMBERED) this.full.clear();
    this.full.set(key, performance.now() + ms);
  }

  /** A limit of 0 moves the window on without counting a call. */
  async peek(key: string, ttl: number): Promise<PeekResult> {
    return (await this.slide([{ key, limit: 0 }], ttl))?.[0] ?? this.alone.peek(key, ttl);
  }

  /** @returns null while Redis is unavailable */
  private async slide(windows: Window[], ttl: number): Promise<WindowState[] | null> {
    if (!this.isConnected) return null;
    try {
      const keys = windows.map(({ key }) => nameOf(key));
      const limits = windows.map(({ limit }) => limit);
      const slid = await this.redis.slide(keys.length, ...keys, ttl, ...limits);
      return windows.map((_, i) => {
        const [hasRoom, hits, ms] = slid.slice(3 * i, 3 * i + 3);
        return { hasRoom: hasRoom === 1, hits, ms, seconds: secondsOf(ms), at: slid[slid.length - 1] };
      });
    } catch {
      this.lookForRedis();
      return null;
    }
  }

  /** A call that Redis counted stays counted if Redis is unavailable now: it leaves the window by itself. */
  async giveBack(keys: string[], at: number): Promise<void> {
    for (const key of keys) this.full.delete(key);
    await this.alone.giveBack(keys, at);
    if (!this.isConnected) return;
    await this.redis.giveBack(keys.length, ...keys.map(nameOf), at).catch(() => this.lookForRedis());
  }

  private lookForRedis(): void {
    this.looking ??= setInterval(() => void this.look(), LOOK_MS).unref();
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
