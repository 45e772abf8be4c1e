import { Inject, Injectable } from '@nestjs/common';
import { Clock, DAY_MS } from '../clock.js';
import { CONFIG, type Config } from '../config/config.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { Metrics } from '../observability/metrics.js';
import { restAfter } from '../timers.js';
import { WAS_MOVED_AWAY } from './was-moved-away.js';
import { systemStatement } from './statement.js';
import { runOn, SystemDatabase } from './system.js';

/** How long the first answer to an Idempotency-Key is repeated. */
export const IDEMPOTENCY_KEPT_MS = DAY_MS;
/** How long a change can be undone (docs/behaviour.md §13.11). */
export const UNDO_DAYS = 30;
/** The rows that one transaction deletes; few enough that nobody waits for it. */
export const PURGE_BATCH = 1_000;
/**
 * After each batch a purge pauses this many times as long as the batch took, so that concurrent changes
 * hardly take longer.
 */
const REST = 3;

/** A table whose rows are kept for a limited time. `column` holds the age of a row, and has an index. */
interface RetentionRule {
  table: string;
  /** Whether its rows are of no store. */
  isOfNoStore?: boolean;
  column: string;
  keptDays: number;
  /** A condition that limits the rule to some rows. */
  only?: string;
  /** The rows per transaction, for a table whose rows take rows of other tables with them. */
  batch?: number;
}

/**
 * Everything that grows and is not kept for ever (docs/operations.md, What is kept). Events are dropped with
 * the partition of their month.
 */
const rulesOf = ({ auditDays }: Config): RetentionRule[] => [
  { table: 'audit_log', column: 'at', keptDays: auditDays },
  // Kept as long as the audit log may refer to them.
  { table: 'api_tokens', column: 'revoked_at', keptDays: auditDays },
  { table: 'api_tokens', column: 'expires_at', keptDays: auditDays },
  { table: 'idempotency_keys', column: 'created_at', keptDays: IDEMPOTENCY_KEPT_MS / DAY_MS },
  { table: 'kept_changes', column: 'kept_at', keptDays: UNDO_DAYS },
  // A day longer than cursors are good for.
  { table: 'record_changes', column: 'at', keptDays: 31 },
  { table: 'webhook_deliveries', column: 'created_at', keptDays: 30, only: `status <> 'pending'` },
  { table: 'visits', column: 'day', keptDays: 400 },
  { table: 'product_days', column: 'day', keptDays: 400 },
  // Each takes its recipients with it, 500 at most.
  { table: 'campaigns', column: 'created_at', keptDays: 400, only: `status = 'finished'`, batch: 10 },
  { table: 'sessions', isOfNoStore: true, column: 'created_at', keptDays: 30 },
  { table: 'sign_in_attempts', isOfNoStore: true, column: 'since', keptDays: 1 },
  // For this long, the link of an expired invitation explains why it does not work.
  { table: 'invitations', column: 'expires_at', keptDays: 30 },
  { table: 'password_resets', isOfNoStore: true, column: 'expires_at', keptDays: 0 },
  // These rows hold their own time of expiry.
  { table: 'bot_claims', column: 'ends_at', keptDays: 0 },
  ...['previewed_changes', 'oauth_tokens', 'oauth_grants'].map((table) => ({
    table,
    column: 'expires_at',
    keptDays: 0,
  })),
  ...['oauth_interactions', 'oauth_clients'].map((table) => ({
    table,
    isOfNoStore: true,
    column: 'expires_at',
    keptDays: 0,
  })),
];

/**
 * On its way to another installation a store changes at neither end. Where it was, nothing is kept for ever.
 */
const IS_BEING_MOVED = `exists (select from stores s where s.id = store_id and s.read_only_since is not null
  and not ${WAS_MOVED_AWAY})`;

const LOCK_TABLE = systemStatement(
  'lock_retention',
  `select pg_try_advisory_xact_lock(hashtextextended('retention:' || $table::text, 0)) as "isMine!"`,
);

/** Deletes expired rows in small batches, in one process at a time. */
@Injectable()
export class Retention {
  private readonly rules: RetentionRule[];

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.rules = rulesOf(config);
    for (const { table } of this.rules) metrics.purged(table);
  }

  /** @throws Error naming the tables that could not be purged; all others have been */
  async purge(stop?: AbortSignal): Promise<void> {
    const failed = new Set<string>();
    for (const rule of this.rules) {
      try {
        await this.purgeAll(rule, stop);
      } catch (error) {
        failed.add(rule.table);
        this.log.warn({ err: error, table: rule.table }, 'expired rows could not be deleted');
      }
      if (!failed.has(rule.table)) this.metrics.purged(rule.table);
    }
    if (failed.size > 0) throw new Error(`expired rows are left in ${[...failed].join(', ')}`);
  }

  private async purgeAll(rule: RetentionRule, stop?: AbortSignal): Promise<void> {
    while (!stop?.aborted) {
      const began = performance.now();
      if ((await this.purgeBatch(rule)) < (rule.batch ?? PURGE_BATCH)) return;
      await restAfter(began, REST);
    }
  }

  /** @returns how many rows were deleted; 0 while another process is purging the table */
  private purgeBatch({
    table,
    isOfNoStore = false,
    column,
    keptDays,
    only = 'true',
    batch = PURGE_BATCH,
  }: RetentionRule): Promise<number> {
    const oldest = new Date(this.clock.now().getTime() - keptDays * DAY_MS);
    return this.database.transaction(async (client) => {
      const [{ isMine }] = await runOn(client, LOCK_TABLE, { table });
      if (!isMine) return 0;
      const { rowCount } = await client.query(
        `delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${column} <= $1 and ${only}
             and ${isOfNoStore ? 'true' : `not ${IS_BEING_MOVED}`}
           order by ${column} limit $2 for update skip locked))`,
        [oldest, batch],
      );
      return rowCount ?? 0;
    });
  }
}
