import { InjectQueue, Process, Processor } from '@nestjs/bull';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import type { Redis, RedisOptions } from 'ioredis';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { openRedis } from '../../platform/redis.js';
import { Dispatcher } from '../delivery/dispatcher.js';
import { Doorbell } from './doorbell.js';

export const DOORBELL_QUEUE = 'webhook-doorbell';

type Promised = (...given: unknown[]) => Promise<unknown>;

const quietly =
  (work: Promised): Promised =>
  (...given) =>
    work(...given).catch(() => undefined);

interface Ring {
  storeId: string;
}

/** A hint that failed is worthless, so it is not retried and nothing is kept in Redis. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/**
 * Rings through Bull. A job says only that a store has something due. Nothing waits for Redis, and nothing is
 * lost if it is slow, empty or unavailable, because the sweep finds the rows.
 */
@Injectable()
export class BullDoorbell extends Doorbell {
  /** The stores whose ring is being sent to Redis, each with whether it has rung again since. */
  private readonly underWay = new Map<string, boolean>();
  private isIdle = () => undefined as void;

  constructor(@InjectQueue(DOORBELL_QUEUE) private readonly queue: Queue<Ring>) {
    super();
    // Bull passes on its clients' errors; without a listener they would end the process.
    queue.on('error', () => undefined);
    // Nest closes the queue when the service stops.
    queue.close = async () => abandon(queue);
    // Nobody looks at these promises, which fail when the connections end while Redis is unavailable.
    const internals = queue as unknown as { process: Promised; setWorkerName: Promised };
    internals.process = quietly(internals.process.bind(queue));
    internals.setWorkerName = quietly(internals.setWorkerName.bind(queue));
  }

  ring(storeId: string): void {
    const isUnderWay = this.underWay.has(storeId);
    this.underWay.set(storeId, isUnderWay);
    if (isUnderWay) return;
    this.queue
      .add({ storeId }, JOB_OPTIONS)
      .catch(() => undefined)
      .finally(() => this.sent(storeId));
  }

  async settled(): Promise<void> {
    if (this.underWay.size > 0) await new Promise<void>((resolve) => (this.isIdle = resolve));
  }

  /**
   * Rings again if the store has rung since, because the first ring may have been handled before that change
   * was committed.
   */
  private sent(storeId: string): void {
    const hasRungAgain = this.underWay.get(storeId);
    this.underWay.delete(storeId);
    if (hasRungAgain) this.ring(storeId);
    if (this.underWay.size === 0) this.isIdle();
  }
}

/**
 * Replaces Bull's own way to close a queue, which asks Redis: it waits for ever if Redis hangs, and ends the
 * process by an unhandled rejection if Redis is gone. BullConnections ends the connections, and the sweep
 * finds what no ring announced.
 */
function abandon(queue: Queue): void {
  const internals = queue as unknown as { closing: Promise<void>; _clearTimers(): void };
  internals.closing = Promise.resolve();
  internals._clearTimers();
}

/** Receives the rings, in processes that deliver. */
@Processor(DOORBELL_QUEUE)
export class BullDoorbellProcessor {
  constructor(private readonly dispatcher: Dispatcher) {}

  @Process({ concurrency: 50 })
  ring(job: Job<Ring>): void {
    this.dispatcher.ring(job.data.storeId);
  }
}

/**
 * Bull's connections to Redis. The one that adds jobs fails at once if Redis is unavailable; those that wait
 * for jobs wait for ever.
 */
@Injectable()
export class BullConnections implements OnApplicationShutdown {
  private readonly clients: Redis[] = [];

  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  create(url: string, kind: 'client' | 'subscriber' | 'bclient'): Redis {
    const options: RedisOptions =
      kind === 'client'
        ? { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500 }
        : { maxRetriesPerRequest: null, enableReadyCheck: false };
    const client = openRedis(url, { ...options, retryStrategy: (attempt) => Math.min(attempt * 100, 2_000) });
    client.on('error', (error) =>
      this.log.debug({ err: error }, 'the connection of the doorbell to Redis failed'),
    );
    this.clients.push(client);
    return client;
  }

  /** Closes the connections, because Bull does not close connections that it did not create. */
  onApplicationShutdown(): void {
    for (const client of this.clients) client.disconnect();
  }
}
