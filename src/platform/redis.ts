import { Redis, type RedisOptions } from 'ioredis';
import { sentinelUrl } from './config/redis-url.js';

/**
 * How long a master may be silent after a command, in milliseconds. It is longer than Bull's wait for the
 * next job (5 s).
 */
const SILENT_MS = 8_000;
const CONNECT_MS = 2_000;
const LONGEST_PAUSE_MS = 1_000;

/**
 * A client of the Redis in `REDIS_URL`: a single Redis, or the master that sentinels know. After a failover
 * it finds the new master by itself. It leaves a master that hangs after 8 s, and one that has become a
 * replica at its first refusal.
 */
export function openRedis(url: string, options: RedisOptions): Redis {
  const found = sentinelUrl(url);
  if (!found) return new Redis(url, options);
  const { tls, ...sentinel } = found;
  return new Redis({
    ...sentinel,
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    connectTimeout: CONNECT_MS,
    sentinelCommandTimeout: CONNECT_MS,
    sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_PAUSE_MS),
    socketTimeout: SILENT_MS,
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    ...options,
  });
}
