import { Redis, type RedisOptions } from 'ioredis';

/**
 * A client of the Redis in `REDIS_URL`. Behind a proxy the master may become a replica: the first refusal of
 * a change opens another connection, which leads to the new master.
 */
export const openRedis = (url: string, options: RedisOptions): Redis =>
  new Redis(url, { reconnectOnError: ({ message }) => message.startsWith('READONLY'), ...options });
