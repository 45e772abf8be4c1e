import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Packing } from '../../platform/database/packing.js';
import { MAY_PACK, PACK_DAY, UNPACKED_DAYS } from './delivery-packing.statements.js';
import { daysUntil } from './delivery-stats.service.js';

/** Today and yesterday: ids are made by the clocks of processes, which may be behind the database's. */
const OPEN_DAYS = 2;

/** Packs the figures of deliveries of days that are over, a day of a store at a time. */
@Injectable()
export class DeliveryPacking extends Packing {
  protected readonly what = 'deliveries of days that are over';

  async pack(): Promise<void> {
    const days = daysUntil(this.clock.now(), 30).slice(0, -OPEN_DAYS);
    for (let after: string = NIL; ;) {
      const [found] = await this.database.query<{ storeId: string; days: string[] }>(UNPACKED_DAYS, [
        after,
        days[0],
        days.at(-1),
      ]);
      if (!found) return;
      for (const day of found.days) {
        if (this.stopped) return;
        await this.atEase(() => this.packDay(found.storeId, day));
      }
      after = found.storeId;
    }
  }

  private packDay(storeId: string, day: string): Promise<void> {
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ mine: boolean }>(MAY_PACK, [storeId]);
      if (rows[0].mine) await client.query({ name: 'pack_deliveries', text: PACK_DAY, values: [storeId, day] });
    });
  }
}
