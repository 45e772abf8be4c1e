import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PURGE_BATCH } from '../../platform/database/retention.service.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { EVENTS_DROPPED_MS } from './event-age.js';
import { systemStatement } from '../../platform/database/statement.js';

const RENEW_EPOCH = systemStatement('renew_event_epoch', 'select renew_order_event_epoch()');

const TEND_EVENTS = systemStatement(
  'tend_events',
  'select tend_order_events(make_interval(secs => $droppedMs::float8 / 1000))',
);

/**
 * Deletes from the default partition the events whose deliveries outlived their month and are gone by now.
 */
const PURGE_EVENTS = systemStatement(
  'purge_events',
  `delete from order_events_default where ctid = any(array(
     select e.ctid from order_events_default e
     where e.created_at < shop_now() - $droppedMs::float8 * interval '1 millisecond'
       and not exists (select from webhook_deliveries d where d.store_id = e.store_id and d.id = e.id)
     limit $take for update skip locked
   )) returning id`,
);

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
