import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../clock.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { SystemDatabase } from './system.js';

/** How often days are packed. A packed day that has changed is packed again, but not too often. */
const EVERY_MS = 6 * 3_600_000;
/** The first run comes early, so that a process that is restarted often packs too. */
const FIRST_MS = 60_000;

/** Regularly packs the data of past days while the process runs. */
@Injectable()
export abstract class Packing implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** What is packed, for the log line of a failure. */
  protected abstract readonly what: string;
  /** Tells `pack` to stop between two days. */
  protected stopped = false;
  private timer: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(
    protected readonly database: SystemDatabase,
    protected readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  abstract pack(): Promise<void>;

  onApplicationBootstrap(): void {
    this.again(FIRST_MS);
  }

  /** Waits for the day that is being packed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Pauses after each day for as long as it took, so that packing uses at most half of the disk's time. */
  protected async throttled<Result>(packDay: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    const result = await packDay();
    await sleep(performance.now() - began, undefined, { ref: false });
    return result;
  }

  private again(inMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.pack()
        .catch((err: unknown) =>
          this.log.warn({ err }, `${this.what} could not be packed; the next run tries again`),
        )
        .finally(() => this.stopped || this.again(EVERY_MS));
    }, inMs);
    this.timer.unref();
  }
}
