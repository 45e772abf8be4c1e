import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { Clock } from '../platform/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { SecretBox } from '../platform/crypto/secret-box.js';
import { Metrics } from '../platform/http/metrics.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { type ClaimedDelivery, DeliveryQueue } from './delivery-queue.js';
import { RetrySchedule } from './retry-schedule.js';
import { webhookHeaders } from './signature.js';
import { type Pace, StoreLanes } from './store-lanes.js';
import { type AttemptResult, WebhookClient } from './webhook-client.js';

/** Beyond the request's own limit: time to write the result before another worker may take over. */
const LEASE_MARGIN_MS = 5_000;
const SWEEP_MS = 1_000;
const RETENTION_MS = 30 * 24 * 3_600_000;
const PURGE_MS = 3_600_000;
const PURGE_BATCH = 5_000;
/** An answer later than this is slow: the store keeps few slots. */
const PROMPT_MS = 2_000;
const DRAIN_MS = 11_000;

export const secretPurpose = (storeId: string) => `webhook:${storeId}`;

/**
 * Delivers what is due: claims rows, POSTs them, records the attempts. Woken by doorbells, and by a sweep every second that makes
 * lost doorbells, crashed workers and retries that come due all the same thing (docs/behaviour.md §7.5).
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly lanes = new StoreLanes();
  private readonly rung = new Set<string>();
  private readonly inFlight = new Map<ClaimedDelivery, Promise<void>>();
  private readonly recorder: AttemptRecorder;
  private readonly schedule: RetrySchedule;
  private readonly client: WebhookClient;
  private readonly outcomes: Counter<'outcome'>;
  private readonly latency: Histogram;
  private timers: NodeJS.Timeout[] = [];
  private running = false;
  private claiming = false;
  private lastClaim: Promise<void> = Promise.resolve();
  private looking = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(SecretBox) private readonly secrets: SecretBox,
    @Inject(DeliveryQueue) private readonly queue: DeliveryQueue,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(Metrics) metrics: Metrics,
  ) {
    this.recorder = new AttemptRecorder(queue, log);
    this.schedule = new RetrySchedule(config.webhook.retryDelaysSeconds);
    this.client = new WebhookClient({ allowPrivate: config.webhook.allowPrivateTargets, timeoutMs: config.webhook.timeoutMs });
    const registers = [metrics.registry];
    this.outcomes = new Counter({
      name: 'shop_webhook_attempts_total',
      help: 'Attempts by outcome',
      labelNames: ['outcome'],
      registers,
    });
    this.latency = new Histogram({
      name: 'shop_webhook_first_attempt_seconds',
      help: 'From the change to its first attempt',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 60],
      registers,
    });
    metrics.gauge('shop_webhook_in_flight', 'Deliveries under way in this process', () => this.lanes.total);
    if (config.roles.deliver) {
      metrics.gauge('shop_webhook_pending', 'Deliveries not settled yet; over 100,000 an estimate', () => queue.pendingCount());
    }
  }

  onApplicationBootstrap(): void {
    if (!this.config.roles.deliver) return;
    this.running = true;
    this.timers = [setInterval(() => void this.sweepUnlessLooking(), SWEEP_MS), setInterval(() => void this.purge(), PURGE_MS)];
    void this.sweep();
  }

  /** Stops claiming and waits for the requests under way, then gives back what is left. */
  async beforeApplicationShutdown(): Promise<void> {
    this.running = false;
    for (const timer of this.timers) clearInterval(timer);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)));
    // A claim that is under way gives back what it takes; nothing is started behind the back of this wait.
    await Promise.race([Promise.allSettled([this.lastClaim, ...this.inFlight.values()]), late]);
    clearTimeout(timer);
    await this.queue.release([...this.inFlight.keys()]).catch(() => undefined);
    await Promise.race([this.client.close(), new Promise((resolve) => setTimeout(resolve, 500).unref())]);
  }

  /** A store may have something due. */
  ring(storeId: string): void {
    this.rung.add(storeId);
    void this.pump();
  }

  /** Looks for everything due, whoever rang or did not. */
  async sweep(): Promise<void> {
    this.looking++;
    try {
      for (const storeId of await this.queue.dueStores(this.clock.now())) this.rung.add(storeId);
    } catch (error) {
      this.log.warn({ err: error }, 'due deliveries could not be looked up');
    } finally {
      this.looking--;
    }
    await this.pump();
  }

  /** Looks that a slow database delays must not pile up before it. */
  private async sweepUnlessLooking(): Promise<void> {
    if (this.looking === 0) await this.sweep();
  }

  /** Claims for every store that rang and has a free slot, until there is nothing to claim. */
  private async pump(): Promise<void> {
    if (this.claiming || !this.running) return;
    this.claiming = true;
    try {
      for (let wanted = this.lanes.admit(this.rung); wanted.length > 0 && this.running; wanted = this.lanes.admit(this.rung)) {
        // Who rings from here on is asked again.
        for (const { storeId } of wanted) this.rung.delete(storeId);
        await (this.lastClaim = this.claim(wanted));
      }
    } catch (error) {
      this.log.warn({ err: error }, 'deliveries could not be claimed');
    } finally {
      this.claiming = false;
    }
  }

  private async claim(wanted: { storeId: string; free: number }[]): Promise<void> {
    const now = this.clock.now();
    const leaseUntil = new Date(now.getTime() + this.config.webhook.timeoutMs + LEASE_MARGIN_MS);
    const claimed = await this.queue.claim(wanted, now, leaseUntil);
    // Told to stop meanwhile, or frozen for so long (this process or the database) that the lease covers no whole attempt any more.
    const isLate = this.clock.now().getTime() - now.getTime() >= LEASE_MARGIN_MS;
    if (!this.running || isLate) return this.queue.release(claimed);
    const counts = new Map<string, number>();
    for (const delivery of claimed) {
      counts.set(delivery.storeId, (counts.get(delivery.storeId) ?? 0) + 1);
      this.lanes.start(delivery.storeId);
      this.inFlight.set(
        delivery,
        this.deliver(delivery).finally(() => this.inFlight.delete(delivery)),
      );
    }
    // A store that filled its slots probably has more; it goes to the end of the line.
    for (const { storeId, free } of wanted) if (counts.get(storeId) === free) this.rung.add(storeId);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const at = this.clock.now();
    if (delivery.failedAttempts === 0) this.latency.observe(Math.max(0, at.getTime() - delivery.createdAt.getTime()) / 1000);
    const result = await this.post(delivery);
    const finishedAt = this.clock.now();
    const nextAttemptAt = result.ok ? null : this.schedule.nextAttemptAt(delivery.failedAttempts + 1, finishedAt);
    const status = result.ok ? 'delivered' : nextAttemptAt ? 'pending' : 'failed';
    this.outcomes.inc({ outcome: result.ok ? 'delivered' : 'failed' });
    this.lanes.finish(delivery.storeId, paceOf(result));
    void this.pump();
    const { durationMs, statusCode, error, responseBody } = result;
    await this.recorder.record({
      delivery,
      at,
      finishedAt,
      durationMs,
      statusCode,
      error,
      response: responseBody,
      status,
      nextAttemptAt,
    });
    // A retry that is due at once (short delays) must not wait for the sweep.
    if (nextAttemptAt && nextAttemptAt <= this.clock.now()) this.ring(delivery.storeId);
  }

  private async post(
    delivery: ClaimedDelivery,
  ): Promise<Pick<AttemptResult, 'ok' | 'statusCode' | 'error' | 'durationMs' | 'responseBody'>> {
    try {
      // Signed with the secret of now: a rotation counts for every attempt after it (docs/behaviour.md §7.3).
      const secret = this.secrets.open(delivery.sealedSecret, secretPurpose(delivery.storeId));
      const headers = webhookHeaders({ event: delivery.event, deliveryId: delivery.id, secret, body: delivery.body });
      return await this.client.post(delivery.url, headers, delivery.body);
    } catch (error) {
      this.log.error({ err: error, deliveryId: delivery.id }, 'a delivery could not be attempted');
      return { ok: false, statusCode: null, error: 'the delivery could not be attempted', durationMs: 0, responseBody: null };
    }
  }

  private async purge(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    try {
      while (this.running && (await this.queue.purge(before, PURGE_BATCH)) === PURGE_BATCH);
    } catch (error) {
      this.log.warn({ err: error }, 'old deliveries could not be deleted');
    }
  }
}

function paceOf({ statusCode, durationMs }: Pick<AttemptResult, 'statusCode' | 'durationMs'>): Pace {
  if (statusCode === null) return 'silent';
  return durationMs < PROMPT_MS ? 'prompt' : 'slow';
}
