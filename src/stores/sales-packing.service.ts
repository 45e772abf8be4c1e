import { Injectable } from '@nestjs/common';
import { Clock, DAY_MS } from '../platform/clock.js';
import { runOn, SystemDatabase } from '../platform/database/system.js';
import { restAfter } from '../platform/timers.js';
import { MAY_PACK, PACK_DAY, UNPACKED_DAYS } from './sales-packing.statements.js';
import { dateOf, SPAN_DAYS } from './sales-spans.js';

const BATCH = 200;

/**
 * Packs the sales of past days into spans, one day of one store at a time. Only one process packs at a time.
 */
@Injectable()
export class SalesPacking {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /** Rests after each day for as long as it took, so that packing uses at most half of the disk's time. */
  async pack(stop?: AbortSignal): Promise<void> {
    const today = dateOf(Math.floor(this.clock.now().getTime() / DAY_MS));
    for (let found = BATCH; found === BATCH;) {
      const days = await this.database.query(UNPACKED_DAYS, { today, take: BATCH });
      for (const { storeId, day } of days) {
        const began = performance.now();
        if (stop?.aborted || !(await this.packDay(storeId, day))) return;
        await restAfter(began);
      }
      found = days.length;
    }
  }

  /** @returns false if another process is packing */
  private packDay(storeId: string, day: string): Promise<boolean> {
    return this.database.transaction(async (client) => {
      const [{ mine }] = await runOn(client, MAY_PACK);
      if (mine) await runOn(client, PACK_DAY, { storeId, day, lengths: SPAN_DAYS });
      return mine;
    });
  }
}
