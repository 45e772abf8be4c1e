import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../clock.js';
import { CONFIG, type Config } from '../config/config.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { Metrics } from '../observability/metrics.js';
import { SystemDatabase } from './system.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** How long the first result of an Idempotency-Key is answered again. */
export const IDEMPOTENCY_KEPT_MS = DAY_MS;
/** Rows a transaction deletes: few enough that nobody waits for it. */
export const PURGE_BATCH = 1_000;

/** Of an app's sign-in: rows that say themselves when they end. */
const EXPIRING = ['oauth_interactions', 'oauth_tokens', 'oauth_grants', 'oauth_clients'];

/** A table whose rows are kept for a time. `column` says how old a row is, and has an index. */
interface RetentionRule {
  table: string;
  column: string;
  keptMs: number;
}

/** Deletes, once an hour, what is kept long enough: in small batches, by one process at a time. */
@Injectable()
export class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rules: RetentionRule[];
  private timer: NodeJS.Timeout;
  private stopped = false;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.rules = [
      { table: 'audit_log', column: 'at', keptMs: config.auditDays * DAY_MS },
      { table: 'idempotency_keys', column: 'created_at', keptMs: IDEMPOTENCY_KEPT_MS },
      ...EXPIRING.map((table) => ({ table, column: 'expires_at', keptMs: 0 })),
    ];
    for (const { table } of this.rules) metrics.purged(table);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.purge(), EVERY_MS);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  async purge(): Promise<void> {
    for (const rule of this.rules) {
      try {
        while (!this.stopped && (await this.purgeBatch(rule)) === PURGE_BATCH);
        this.metrics.purged(rule.table);
      } catch (error) {
        this.log.warn({ err: error, table: rule.table }, 'rows that are kept no longer could not be deleted');
      }
    }
  }

  /** @returns how many rows it deleted; none while another process is at it */
  private purgeBatch({ table, column, keptMs }: RetentionRule): Promise<number> {
    const oldest = new Date(this.clock.now().getTime() - keptMs);
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_xact_lock(hashtextextended('retention:' || $1::text, 0)) as mine`,
        [table],
      );
      if (!rows[0].mine) return 0;
      const { rowCount } = await client.query(
        `delete from ${table} where ctid = any(array(select ctid from ${table} where ${column} <= $1 order by ${column} limit $2))`,
        [oldest, PURGE_BATCH],
      );
      return rowCount ?? 0;
    });
  }
}
