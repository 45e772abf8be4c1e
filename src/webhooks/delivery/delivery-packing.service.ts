import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { NIL } from 'uuid';
import { Clock } from '../../platform/clock.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { Upkeep } from '../../platform/database/upkeep.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { MAY_PACK, PACK_DAY, UNPACKED_DAYS } from './delivery-packing.statements.js';
import { daysUntil } from './delivery-stats.service.js';

const EVERY_MS = 6 * 3_600_000;
/** Today and yesterday: ids are made by the clocks of processes, which may be behind the database's. */
const OPEN_DAYS = 2;

/** Packs the figures of deliveries of days that are over, a day of a store at a time. */
@Injectable()
export class DeliveryPacking implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly upkeep: Upkeep;

  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
    @Inject(LOGGER) log: Logger,
  ) {
    this.upkeep = new Upkeep(
      EVERY_MS,
      () => this.pack(),
      (err) => log.warn({ err }, 'deliveries of days that are over could not be packed; it is tried again'),
    );
  }

  onApplicationBootstrap(): void {
    this.upkeep.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.upkeep.stop();
  }

  /** Rests after each day as long as it took, so that whoever writes has most of the disk. */
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
        if (this.upkeep.stopped) return;
        const began = performance.now();
        await this.packDay(found.storeId, day);
        await sleep(performance.now() - began, undefined, { ref: false });
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
