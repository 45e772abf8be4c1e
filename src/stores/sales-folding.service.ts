import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { runOn, SystemDatabase } from '../platform/database/system.js';
import { restAfter } from '../platform/timers.js';
import { FOLDED, MAY_FOLD } from './sales-folding.statements.js';

/** How many days are looked up at once, and how many entries of the present day are many. */
const BATCH = { take: 200, many: 200 };

/**
 * Sales per day are entries, so that writers never wait for each other. This adds the entries of a day up, so
 * that readers find few.
 */
@Injectable()
export class SalesFolding {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /** Rests after each day for as long as it took, so that folding uses at most half of the disk's time. */
  async fold(stop?: AbortSignal): Promise<void> {
    const today = this.clock.now().toISOString().slice(0, 10);
    for (const { days, fold } of FOLDED) {
      for (let found = BATCH.take; found === BATCH.take;) {
        const unfolded = await this.database.query(days, { today, ...BATCH });
        for (const { storeId, day } of unfolded) {
          if (stop?.aborted) return;
          const began = performance.now();
          const isMine = await this.database.transaction(async (client) => {
            const [may] = await runOn(client, MAY_FOLD, { storeId });
            if (may.isMine) await runOn(client, fold, { storeId, day });
            return may.isMine;
          });
          // Another process folds.
          if (!isMine) return;
          await restAfter(began);
        }
        found = unfolded.length;
      }
    }
  }
}
