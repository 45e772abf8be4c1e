import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../clock.js';
import { SystemDatabase } from '../database/system-database.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { KEPT_MS } from './safe-retry.js';

const EVERY_MS = 3_600_000;

/** Deletes, once an hour, the idempotency keys nobody may repeat any more. */
@Injectable()
export class ExpiredKeys implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout;

  constructor(
    @Inject(SystemDatabase) private readonly database: SystemDatabase,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.purge(), EVERY_MS);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async purge(): Promise<void> {
    const oldest = new Date(this.clock.now().getTime() - KEPT_MS);
    try {
      await this.database.query('delete from idempotency_keys where created_at <= $1', [oldest]);
    } catch (error) {
      this.log.warn({ err: error }, 'expired idempotency keys could not be deleted');
    }
  }
}
