import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config/config.js';
import { Listener } from '../database/listener.js';
import { ReadConnections } from '../database/read-connections.js';
import { poolOf } from '../database/driver.js';
import { SystemDatabase } from '../database/system.js';
import { RedisThrottlerStorage } from '../rate-limit/redis-storage.js';
import { VERSION } from '../version.js';
import { Drain } from './drain.js';
import { Metrics } from '../observability/metrics.js';

/** The platform's own figures: requests and reads under way, pools, and whether what it leans on answers. */
@Injectable()
export class PlatformMetrics {
  constructor(
    @Inject(CONFIG) { roles }: Config,
    metrics: Metrics,
    dataSource: DataSource,
    system: SystemDatabase,
    reads: ReadConnections,
    listener: Listener,
    @Inject(ThrottlerStorage) storage: ThrottlerStorage,
    drain: Drain,
  ) {
    const serving = Object.entries(roles).flatMap(([role, isServed]) => (isServed ? role : []));
    metrics.info('shop_build_info', 'This process', { version: VERSION, node: process.version, roles: serving.join(',') });
    metrics.gauge('shop_requests_under_way', 'Requests that have no whole answer yet', () => drain.requests);
    metrics.gauge('shop_stopping', '1 from the moment a stop is asked for', () => Number(drain.isStopping));
    metrics.gauge('shop_reads_waiting', 'Reads sent to the database and not answered yet', () => reads.waiting);
    metrics.gauge('shop_listener_connected', '1 while notifications of the database arrive', () => Number(listener.connected));
    if (storage instanceof RedisThrottlerStorage) {
      metrics.gauge('shop_redis_connected', '1 while Redis counts rate limits', () => Number(storage.isConnected));
    }
    const pools = { store: () => poolOf(dataSource), system: () => system.pool };
    for (const [name, pool] of Object.entries(pools)) {
      metrics.gauge(`shop_pool_${name}_connections`, `Open connections of the ${name} pool`, () => pool().totalCount);
      metrics.gauge(
        `shop_pool_${name}_waiting`,
        `Calls that wait for a connection of the ${name} pool`,
        () => pool().waitingCount,
      );
    }
  }
}
