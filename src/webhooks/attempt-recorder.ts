import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../platform/logging/logger.js';
import type { AttemptRecord, DeliveryQueue } from './delivery-queue.js';

const RETRY_MS = 250;
/** An attempt that cannot be written by then is forgotten: its lease has ended and the delivery is sent again (same id). */
const GIVE_UP_MS = 10_000;
const MAX_BATCH = 200;

/** Writes the attempts that finish while the last write is under way together: many deliveries a second, few statements. */
export class AttemptRecorder {
  private waiting: { attempt: AttemptRecord; done: () => void }[] = [];
  private writing: Promise<void> | null = null;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly log: Logger,
  ) {}

  /** Resolves once the attempt is written or given up. */
  record(attempt: AttemptRecord): Promise<void> {
    return new Promise((done) => {
      this.waiting.push({ attempt, done });
      this.writing ??= this.write();
    });
  }

  private async write(): Promise<void> {
    // Whatever finished in the same turn of the event loop joins the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      await this.writeBatch(batch.map(({ attempt }) => attempt));
      for (const { done } of batch) done();
    }
    this.writing = null;
  }

  private async writeBatch(attempts: AttemptRecord[], giveUpAt = Date.now() + GIVE_UP_MS): Promise<void> {
    for (;;) {
      try {
        return await this.queue.record(attempts);
      } catch (error) {
        this.log.warn({ err: error, attempts: attempts.length }, 'delivery attempts could not be written');
        if (isRefusal(error)) return this.writeHalves(attempts, giveUpAt);
        if (Date.now() > giveUpAt) return;
        await sleep(RETRY_MS);
      }
    }
  }

  /** One attempt that the database does not take must not cost the others their results. */
  private async writeHalves(attempts: AttemptRecord[], giveUpAt: number): Promise<void> {
    if (attempts.length === 1) return;
    const middle = Math.ceil(attempts.length / 2);
    await this.writeBatch(attempts.slice(0, middle), giveUpAt);
    await this.writeBatch(attempts.slice(middle), giveUpAt);
  }
}

/** Whether the data itself was refused (SQLSTATE class 22 and 23), so that writing the same again would be in vain. */
function isRefusal(error: unknown): boolean {
  return /^2[23]/.test(String((error as { code?: unknown }).code));
}
