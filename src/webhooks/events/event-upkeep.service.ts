import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { EVENTS_DROPPED_MS } from './event-age.js';

const EVERY_MS = 3_600_000;
const PURGE_BATCH = 1_000;

/** Makes the partitions of the months to come, drops those that are kept no longer, and notices a database that has moved to another server. */
@Injectable()
export class EventUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: SystemDatabase,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** The epoch before anything is written: on a server whose transactions have lower numbers, new events would be taken for read. */
  async onApplicationBootstrap(): Promise<void> {
    this.metrics.purged('order_events');
    await this.database.query('select renew_order_event_epoch()');
    await this.tend();
    this.timer = setInterval(() => (this.running = this.tend()), EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async tend(): Promise<void> {
    try {
      await this.database.query('select renew_order_event_epoch()');
      await this.database.query(`select tend_order_events(make_interval(secs => $1::float8 / 1000))`, [EVENTS_DROPPED_MS]);
      while ((await this.purgeBatch()) === PURGE_BATCH);
      this.metrics.purged('order_events');
    } catch (error) {
      this.log.warn({ err: error }, 'the partitions of events could not be tended; it is tried again in an hour');
    }
  }

  /** What is in no month's partition: events whose deliveries outlived it, and are gone by now. @returns how many it deleted */
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
