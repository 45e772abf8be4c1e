import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PURGE_BATCH } from '../../platform/database/retention.service.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { EVENTS_DROPPED_MS } from './event-age.js';

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
    await this.database.query('select renew_order_event_epoch()');
  }

  async tend(stop?: AbortSignal): Promise<void> {
    await this.database.query('select renew_order_event_epoch()');
    await this.database.query(`select tend_order_events(make_interval(secs => $1::float8 / 1000))`, [
      EVENTS_DROPPED_MS,
    ]);
    while (!stop?.aborted && (await this.purgeBatch()) === PURGE_BATCH);
    this.metrics.purged('order_events');
  }

  /**
   * Deletes from the default partition the events whose deliveries outlived their month and are gone by now.
   * @returns how many
   */
  private async purgeBatch(): Promise<number> {
    const rows = await this.database.query(
      `delete from order_events_default where ctid = any(array(
         select e.ctid from order_events_default e where e.created_at < shop_now() - $1::float8 * interval '1 millisecond'
           and not exists (select from webhook_deliveries d where d.store_id = e.store_id and d.id = e.id) limit $2 for update skip locked
       )) returning 1`,
      [EVENTS_DROPPED_MS, PURGE_BATCH],
    );
    return rows.length;
  }
}
