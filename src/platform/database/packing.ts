import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../clock.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { SystemDatabase } from './system.js';

/** What was packed and has changed since is packed again: not too often. */
const EVERY_MS = 6 * 3_600_000;
/** A process that is often started anew packs too. */
const FIRST_MS = 60_000;

/** Packs what there is of days that are over, again and again while the process runs. */
@Injectable()
export abstract class Packing implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** What is packed, as a failure is logged. */
  protected abstract readonly what: string;
  /** `pack` gives up between two days. */
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

  /** Resolves when what is under way has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Rests after a day as long as it took, so that whoever writes has most of the disk. */
  protected async atEase<Result>(packDay: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    const result = await packDay();
    await sleep(performance.now() - began, undefined, { ref: false });
    return result;
  }

  private again(inMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.pack()
        .catch((err: unknown) => this.log.warn({ err }, `${this.what} could not be packed; it is tried again`))
        .finally(() => this.stopped || this.again(EVERY_MS));
    }, inMs);
    this.timer.unref();
  }
}
