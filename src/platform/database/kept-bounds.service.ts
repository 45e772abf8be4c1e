import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../logging/logger.js';
import type { StoreSession } from './session.js';
import { systemStatement } from './statement.js';
import { SystemDatabase } from './system.js';

/** The most that is kept for one store: what undoing its changes needs, and its previews. */
export const BOUNDS = {
  kept_changes: { bytes: 64 * 1024 * 1024, rows: 20_000 },
  previewed_changes: { bytes: 64 * 1024 * 1024, rows: 2_000 },
};
type Table = keyof typeof BOUNDS;

/** The part of a bound that a process adds before it looks again. */
const LOOKS_AFTER = 1 / 16;
/** How many stores and tables a process counts for; what it has forgotten, it looks at anew. */
const MOST_COUNTED = 10_000;

/**
 * The rows of a store that are beyond its bounds: the oldest of the caller who has most. Of each caller the
 * newest rows come first, and whoever has more has the later ones.
 */
const beyond = (table: Table, id: string) => `select ${id} from (
    select ${id}, sum(bytes) over (order by own_bytes, ${id}) as all_bytes,
      row_number() over (order by own_rows, ${id}) as all_rows
    from (
      select ${id}, bytes, sum(bytes) over newest as own_bytes, row_number() over newest as own_rows
      from ${table} where store_id = $storeId and bytes > 0
      window newest as (partition by actor order by ${id} desc)
    ) own
  ) counted where all_bytes > $bytes or all_rows > $rows`;

/** Undoing says of these that they are not kept any more. */
const TRIM_KEPT_CHANGES = systemStatement(
  'trim_kept_changes',
  `update kept_changes set sealed_values = '', bytes = 0
   where store_id = $storeId and activity_id in (${beyond('kept_changes', 'activity_id')})`,
);

const TRIM_PREVIEWS = systemStatement(
  'trim_previewed_changes',
  `delete from previewed_changes
   where store_id = $storeId and id in (${beyond('previewed_changes', 'id')})`,
);

/**
 * Keeps what is kept for a store within its bounds. Nobody counts all of it at each call: a process looks
 * when it first keeps something for the store, and then whenever it has added a sixteenth of a bound.
 */
@Injectable()
export class KeptBounds {
  private readonly added = new Map<string, { bytes: number; rows: number }>();

  constructor(
    private readonly database: SystemDatabase,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** After the commit. */
  hold(session: StoreSession, table: Table, bytes: number): void {
    session.onCommit(() => this.count(session.storeId, table, bytes));
  }

  private async count(storeId: string, table: Table, bytes: number): Promise<void> {
    const key = `${table} ${storeId}`;
    const bounds = BOUNDS[table];
    const added = this.added.get(key) ?? { ...bounds };
    added.bytes += bytes;
    added.rows++;
    const isMuch = added.bytes > bounds.bytes * LOOKS_AFTER || added.rows > bounds.rows * LOOKS_AFTER;
    // The one that was counted last comes last, and the one that was not for longest is forgotten.
    this.added.delete(key);
    this.added.set(key, isMuch ? { bytes: 0, rows: 0 } : added);
    if (this.added.size > MOST_COUNTED) this.added.delete(this.added.keys().next().value!);
    if (!isMuch) return;
    try {
      if (table === 'kept_changes') await this.database.query(TRIM_KEPT_CHANGES, { storeId, ...bounds });
      else await this.database.query(TRIM_PREVIEWS, { storeId, ...bounds });
    } catch (err) {
      this.log.warn({ err, storeId, table }, 'what is beyond the bound of a store could not be deleted');
    }
  }
}
