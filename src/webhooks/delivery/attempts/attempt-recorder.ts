import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Timers } from '../../../platform/timers.js';
import type { AttemptRecord, DeliveryQueue } from '../delivery-queue.js';

const RETRY_MS = 250;
/**
 * How long to try to write an attempt. After that it is dropped, because its lease has ended and the delivery
 * is sent again (same id).
 */
const GIVE_UP_MS = 10_000;
const MAX_BATCH = 200;

export interface RecorderParts {
  queue: Pick<DeliveryQueue, 'record'>;
  clock: Clock;
  timers: Timers;
  log: Logger;
}

/**
 * Writes attempts in batches: those that finish during one write go into the next. So many deliveries a
 * second need few statements.
 */
export class AttemptRecorder {
  private waiting: { attempt: AttemptRecord; done: () => void }[] = [];
  private writing: Promise<void> | null = null;

  constructor(private readonly parts: RecorderParts) {}

  /** Resolves once the attempt is written or dropped. */
  record(attempt: AttemptRecord): Promise<void> {
    return new Promise((done) => {
      this.waiting.push({ attempt, done });
      this.writing ??= this.write();
    });
  }

  private async write(): Promise<void> {
    // Attempts that finish in the same turn of the event loop join the first batch.
    await this.parts.timers.nextTurn();
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      const giveUpAt = this.parts.clock.elapsed() + GIVE_UP_MS;
      await this.writeBatch(
        batch.map(({ attempt }) => attempt),
        giveUpAt,
      );
      for (const { done } of batch) done();
    }
    this.writing = null;
  }

  private async writeBatch(attempts: AttemptRecord[], giveUpAt: number): Promise<void> {
    const { queue, clock, timers, log } = this.parts;
    for (;;) {
      try {
        return await queue.record(attempts, clock.elapsed());
      } catch (error) {
        log.warn({ err: error, attempts: attempts.length }, 'delivery attempts could not be written');
        if (isRefusal(error)) return this.writeHalves(attempts, giveUpAt);
        if (clock.elapsed() > giveUpAt) return;
        await timers.sleep(RETRY_MS);
      }
    }
  }

  /** Splits a refused batch, so that one attempt that the database refuses does not lose the others. */
  private async writeHalves(attempts: AttemptRecord[], giveUpAt: number): Promise<void> {
    if (attempts.length === 1) return;
    const middle = Math.ceil(attempts.length / 2);
    await this.writeBatch(attempts.slice(0, middle), giveUpAt);
    await this.writeBatch(attempts.slice(middle), giveUpAt);
  }
}

/**
 * Whether the data itself was refused (SQLSTATE classes 22 and 23), so that writing it again would fail too.
 */
function isRefusal(error: unknown): boolean {
  return /^2[23]/.test(String((error as { code?: unknown }).code));
}
