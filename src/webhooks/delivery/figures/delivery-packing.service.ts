import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Clock } from '../../../platform/clock.js';
import { SystemDatabase } from '../../../platform/database/system.js';
import { restAfter } from '../../../platform/timers.js';
import { MAY_PACK, PACK_DAY, UNPACKED_DAYS } from './delivery-packing.statements.js';
import { daysUntil } from './delivery-stats.service.js';

/**
 * Today and yesterday are not packed. Ids come from the processes' clocks, which may be behind the
 * database's.
 */
const OPEN_DAYS = 2;

/** Packs the delivery statistics of past days, one day of one store at a time. */
@Injectable()
export class DeliveryPacking {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /** Rests after each day for as long as it took, so that packing uses at most half of the disk's time. */
  async pack(stop?: AbortSignal): Promise<void> {
    const days = daysUntil(this.clock.now(), 30).slice(0, -OPEN_DAYS);
    for (let after: string = NIL; ;) {
      const [found] = await this.database.query<{ storeId: string; days: string[] }>(UNPACKED_DAYS, [
        after,
        days[0],
        days.at(-1),
      ]);
      if (!found) return;
      for (const day of found.days) {
        if (stop?.aborted) return;
        const began = performance.now();
        await this.packDay(found.storeId, day);
        await restAfter(began);
      }
      after = found.storeId;
    }
  }

  private packDay(storeId: string, day: string): Promise<void> {
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ mine: boolean }>(MAY_PACK, [storeId]);
      if (rows[0].mine)
        await client.query({ name: 'pack_deliveries', text: PACK_DAY, values: [storeId, day] });
    });
  }
}
