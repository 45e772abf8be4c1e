import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { Upkeep } from '../platform/database/upkeep.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { MAY_PACK, PACK_DAY, UNPACKED_DAYS } from './sales-packing.statements.js';
import { dateOf, DAY_MS, SPAN_DAYS } from './sales-spans.js';

/** Each time an order of a day that is over has changed, its day is packed again: not too often. */
const EVERY_MS = 6 * 3_600_000;
const BATCH = 200;

/** Packs the sales of days that are over into spans, a day of a store at a time, by one process at a time. */
@Injectable()
export class SalesPacking implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly upkeep: Upkeep;

  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
    @Inject(LOGGER) log: Logger,
  ) {
    this.upkeep = new Upkeep(
      EVERY_MS,
      () => this.pack(),
      (err) => log.warn({ err }, 'the sales of days that are over could not be packed; it is tried again'),
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
    const today = dateOf(Math.floor(this.clock.now().getTime() / DAY_MS));
    for (let found = BATCH; found === BATCH && !this.upkeep.stopped;) {
      const days = await this.database.query<{ store_id: string; day: string }>(UNPACKED_DAYS, [today, BATCH]);
      for (const { store_id, day } of days) {
        if (this.upkeep.stopped) return;
        const began = performance.now();
        if (!(await this.packDay(store_id, day))) return;
        await sleep(performance.now() - began, undefined, { ref: false });
      }
      found = days.length;
    }
  }

  /** @returns false while another process is at it */
  private packDay(storeId: string, day: string): Promise<boolean> {
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ mine: boolean }>(MAY_PACK);
      if (rows[0].mine) await client.query({ name: 'pack_day', text: PACK_DAY, values: [storeId, day, SPAN_DAYS] });
      return rows[0].mine;
    });
  }
}
