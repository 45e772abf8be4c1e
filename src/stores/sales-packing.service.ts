import { Injectable } from '@nestjs/common';
import { Packing } from '../platform/database/packing.js';
import { MAY_PACK, PACK_DAY, UNPACKED_DAYS } from './sales-packing.statements.js';
import { dateOf, DAY_MS, SPAN_DAYS } from './sales-spans.js';

const BATCH = 200;

/**
 * Packs the sales of past days into spans, one day of one store at a time. Only one process packs at a time.
 */
@Injectable()
export class SalesPacking extends Packing {
  protected readonly what = 'the sales of days that are over';

  async pack(): Promise<void> {
    const today = dateOf(Math.floor(this.clock.now().getTime() / DAY_MS));
    for (let found = BATCH; found === BATCH && !this.stopped;) {
      const days = await this.database.query<{ store_id: string; day: string }>(UNPACKED_DAYS, [
        today,
        BATCH,
      ]);
      for (const { store_id, day } of days) {
        if (this.stopped || !(await this.throttled(() => this.packDay(store_id, day)))) return;
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
