import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PURGE_BATCH } from '../../platform/database/retention.service.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { EVENTS_DROPPED_MS } from './event-age.js';
import { PURGE_EVENTS, RENEW_EPOCH, TEND_EVENTS } from './event-upkeep.statements.js';

/**
 * Creates the partitions of the coming months, drops those that have expired, and notices when the database
 * has moved to another server.
 */
@Injectable()
export class EventUpkeep implements OnModuleInit {
  constructor(
    private readonly database: SystemDatabase,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Renews the epoch before anything is written: on a server with lower transaction numbers, new events would
   * count as already read.
   */
  async onModuleInit(): Promise<void> {
    this.metrics.purged('order_events');
    await this.database.query(RENEW_EPOCH);
  }

  async tend(stop?: AbortSignal): Promise<void> {
    await this.database.query(RENEW_EPOCH);
    await this.database.query(TEND_EVENTS, { droppedMs: EVENTS_DROPPED_MS });
    const batch = { droppedMs: EVENTS_DROPPED_MS, take: PURGE_BATCH };
    while (!stop?.aborted && (await this.database.query(PURGE_EVENTS, batch)).length === PURGE_BATCH);
    this.metrics.purged('order_events');
  }
}
