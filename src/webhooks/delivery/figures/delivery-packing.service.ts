import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Clock } from '../../../platform/clock.js';
import { runOn, SystemDatabase } from '../../../platform/database/system.js';
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
      const span = { firstDay: days[0], lastDay: days[days.length - 1] };
      const [found] = await this.database.query(UNPACKED_DAYS, { after, ...span });
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
      const [{ mine }] = await runOn(client, MAY_PACK, { storeId });
      if (mine) await runOn(client, PACK_DAY, { storeId, day });
    });
  }
}
