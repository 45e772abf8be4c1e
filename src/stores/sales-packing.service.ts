import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { restAfter } from '../platform/timers.js';
import { MAY_PACK, PACK_DAY, UNPACKED_DAYS } from './sales-packing.statements.js';
import { dateOf, DAY_MS, SPAN_DAYS } from './sales-spans.js';

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
      const days = await this.database.query<{ store_id: string; day: string }>(UNPACKED_DAYS, [
        today,
        BATCH,
      ]);
      for (const { store_id, day } of days) {
        const began = performance.now();
        if (stop?.aborted || !(await this.packDay(store_id, day))) return;
        await restAfter(began);
      }
      found = days.length;
    }
  }

  /** @returns false if another process is packing */
  private packDay(storeId: string, day: string): Promise<boolean> {
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ mine: boolean }>(MAY_PACK);
      if (rows[0].mine)
        await client.query({ name: 'pack_day', text: PACK_DAY, values: [storeId, day, SPAN_DAYS] });
      return rows[0].mine;
    });
  }
}
