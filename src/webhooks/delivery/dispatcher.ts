import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Clock } from '../../platform/clock.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Cancel, Timers } from '../../platform/timers.js';
import type { SpanOptions } from '../../platform/observability/tracer.js';
import { tracer } from '../../platform/observability/tracing.js';
import { parseUrl } from '../../platform/text/url.js';
import { AttemptRecorder } from './attempts/attempt-recorder.js';
import { inEnglish } from './attempts/failures.js';
import type { DeliveryMetrics } from './figures/delivery-metrics.js';
import type { AttemptRecord, ClaimedDelivery, DeliveryQueue } from './delivery-queue.js';
import { DeliverySlots, paceOf, PROMPT_MS, type Slot } from './delivery-slots.js';
import { RetrySchedule } from './retry-schedule.js';
import { Signer } from './signer.js';
import type { AttemptResult, WebhookClient } from './webhook-client.js';

/** The time, beyond the request's own limit, to write the result before another worker may take over. */
const LEASE_MARGIN_MS = 5_000;
/**
 * How often the dispatcher looks for what came due since the last look. Every POLLS_PER_SWEEP-th poll is for
 * everything due.
 */
const LOOK_MS = 1_000;
const POLLS_PER_SWEEP = 5;
/** Looks overlap, because a delivery is due from when it is written, but visible only once committed. */
const OVERLAP_MS = 5_000;
const DRAIN_MS = 11_000;
const CLOSE_MS = 500;

export interface DispatcherSettings {
  /** Whether this process delivers. */
  delivers: boolean;
  timeoutMs: number;
  retryDelaysSeconds: number[];
}

/** Everything a dispatcher uses. The simulation (test/simulation) replaces all of it. */
export interface DispatcherParts {
  queue: Pick<DeliveryQueue, 'dueStores' | 'paces' | 'claim' | 'record' | 'release'>;
  client: Pick<WebhookClient, 'post' | 'close'>;
  secrets: Pick<SecretBox, 'open'>;
  clock: Clock;
  timers: Timers;
  newId: () => string;
  /** Called with each delivery that has failed for good, once that is written. */
  onFailed?: (delivery: ClaimedDelivery) => void;
  metrics: DeliveryMetrics;
  log: Logger;
}

/**
 * Delivers what is due: claims rows, POSTs them and records the attempts. Doorbells wake it, and so do its
 * own regular looks, which handle lost doorbells, crashed workers and retries that come due all in the same
 * way (docs/behaviour.md §7.5).
 */
export class Dispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly slots = new DeliverySlots();
  private readonly inFlight = new Map<ClaimedDelivery, Promise<void>>();
  private readonly signer: Signer;
  private readonly recorder: AttemptRecorder;
  private readonly schedule: RetrySchedule;
  private cancels: Cancel[] = [];
  private running = false;
  private claiming = false;
  private lastClaim: Promise<void> = Promise.resolve();
  private polling = 0;
  private polls = 0;
  /** When the last look that succeeded began. */
  private lookedAt = 0;

  constructor(
    private readonly settings: DispatcherSettings,
    private readonly parts: DispatcherParts,
  ) {
    this.signer = new Signer(parts.secrets);
    this.recorder = new AttemptRecorder(parts);
    this.schedule = new RetrySchedule(settings.retryDelaysSeconds);
  }

  /** Deliveries under way. */
  get underWay(): number {
    return this.slots.total;
  }

  onApplicationBootstrap(): void {
    if (!this.settings.delivers) return;
    const { timers } = this.parts;
    this.running = true;
    this.cancels = [timers.every(LOOK_MS, () => void this.lookUnlessLooking())];
    void this.sweep();
  }

  /** Stops claiming and waits for the requests under way, then releases what is left. */
  async beforeApplicationShutdown(): Promise<void> {
    const { queue, client } = this.parts;
    this.running = false;
    for (const cancel of this.cancels) cancel();
    // A claim under way releases what it takes, so nothing is started during this wait.
    await this.atMost(DRAIN_MS, Promise.allSettled([this.lastClaim, ...this.inFlight.values()]));
    await queue.release([...this.inFlight.keys()]).catch(() => undefined);
    await this.atMost(CLOSE_MS, client.close());
  }

  /** To be called when a store may have something due. */
  ring(storeId: string): void {
    this.slots.want(storeId, true);
    void this.pump();
  }

  /**
   * Looks for everything due, whether a doorbell rang or not. Does nothing in a process that does not
   * deliver.
   */
  async sweep(): Promise<void> {
    if (this.running) await this.poll(true);
  }

  /** Skips a look while another is under way, so that looks do not pile up before a slow database. */
  private async lookUnlessLooking(): Promise<void> {
    if (this.polling === 0) await this.poll(++this.polls % POLLS_PER_SWEEP === 0);
  }

  private async poll(forEverything: boolean): Promise<void> {
    const { queue, clock, metrics, log } = this.parts;
    const began = clock.elapsed();
    this.polling++;
    try {
      const stores = await queue.dueStores(forEverything ? undefined : began - this.lookedAt + OVERLAP_MS);
      if (forEverything) metrics.due(stores);
      this.lookedAt = began;
      for (const { storeId, pace } of stores) {
        this.slots.learn(storeId, pace);
        this.slots.want(storeId, false);
      }
    } catch (error) {
      // During a stop, a look may find its connections closed.
      if (this.running) log.warn({ err: error }, 'due deliveries could not be looked up');
    } finally {
      this.polling--;
    }
    await this.pump();
  }

  /** Claims deliveries for every waiting store with a free slot, until there is nothing to claim. */
  private async pump(): Promise<void> {
    if (this.claiming || !this.running) return;
    this.claiming = true;
    try {
      while (this.running) {
        await this.loadPaces();
        const wanted = this.slots.admit();
        if (wanted.length === 0) break;
        await (this.lastClaim = this.claim(wanted));
      }
    } catch (error) {
      this.parts.log.warn({ err: error }, 'deliveries could not be claimed');
    } finally {
      this.claiming = false;
    }
  }

  /** Reads unknown paces from the database, because the slots of a store depend on its endpoint's pace. */
  private async loadPaces(): Promise<void> {
    const storeIds = this.slots.withoutPace();
    if (storeIds.length === 0) return;
    const known = new Map(
      (await this.parts.queue.paces(storeIds)).map(({ storeId, pace }) => [storeId, pace]),
    );
    for (const storeId of storeIds) this.slots.learn(storeId, known.get(storeId) ?? 'unknown');
  }

  private async claim(wanted: { storeId: string; free: number }[]): Promise<void> {
    const { queue, clock } = this.parts;
    const askedAt = clock.elapsed();
    try {
      const claimed = await queue.claim(wanted, this.settings.timeoutMs + LEASE_MARGIN_MS);
      // Release the claim if a stop was requested, or if this process or the database froze so long that the
      // lease no longer covers a whole attempt.
      const isLate = clock.elapsed() - askedAt >= LEASE_MARGIN_MS;
      if (this.running && !isLate) return this.begin(claimed, wanted);
      await queue.release(claimed);
      for (const { storeId } of claimed) this.slots.want(storeId, false);
    } catch (error) {
      for (const { storeId } of wanted) this.slots.want(storeId, false);
      throw error;
    }
  }

  private begin(claimed: ClaimedDelivery[], wanted: { storeId: string; free: number }[]): void {
    const counts = new Map<string, number>();
    for (const delivery of claimed) {
      counts.set(delivery.storeId, (counts.get(delivery.storeId) ?? 0) + 1);
      this.slots.learn(delivery.storeId, delivery.pace);
      const slot = this.slots.start(delivery.storeId);
      this.inFlight.set(
        delivery,
        this.deliver(delivery, slot).finally(() => this.inFlight.delete(delivery)),
      );
    }
    // A store that filled its slots probably has more due, so it goes to the end of the line.
    for (const { storeId, free } of wanted) if (counts.get(storeId) === free) this.slots.want(storeId, false);
  }

  private async deliver(delivery: ClaimedDelivery, slot: Slot): Promise<void> {
    const { clock, metrics, newId } = this.parts;
    const begunAt = clock.elapsed();
    if (delivery.failedAttempts === 0) metrics.firstAttempt(delivery.waitedMs);
    const result = await this.post(delivery, slot);
    const endedAt = clock.elapsed();
    const retryInMs = result.ok ? null : this.schedule.retryInMs(delivery.failedAttempts + 1);
    const status = result.ok ? 'delivered' : retryInMs === null ? 'failed' : 'pending';
    metrics.attempt(status, delivery.storeId);
    if (!result.ok) this.logFailure(delivery, status, result);
    const pace = slot.free(paceOf(result));
    void this.pump();
    const { durationMs, statusCode, error, responseBody: response } = result;
    const outcome = { durationMs, statusCode, error, response, status, retryInMs, pace } as const;
    await this.recorder.record({ id: newId(), delivery, begunAt, endedAt, ...outcome });
    if (status === 'failed') this.parts.onFailed?.(delivery);
    // With short delays a retry may already be due; it must not wait for the next look.
    if (retryInMs !== null && clock.elapsed() - endedAt >= retryInMs) this.ring(delivery.storeId);
  }

  /** An installation without a collector of traces follows a call by these lines and the request id. */
  private logFailure(
    { storeId, id: deliveryId, event, failedAttempts, requestId }: ClaimedDelivery,
    status: AttemptRecord['status'],
    { statusCode, error, durationMs }: Pick<AttemptResult, 'statusCode' | 'error' | 'durationMs'>,
  ): void {
    const attempt = failedAttempts + 1;
    const line = {
      storeId,
      deliveryId,
      event,
      attempt,
      status,
      statusCode,
      error,
      ms: durationMs,
      requestId,
    };
    if (status === 'failed') this.parts.log.warn(line, 'a delivery has failed for good');
    else this.parts.log.info(line, 'an attempt at a delivery has failed');
  }

  private async post(delivery: ClaimedDelivery, slot: Slot): Promise<Omit<AttemptResult, 'startedAt'>> {
    const { client, clock, timers, log } = this.parts;
    const cancel = timers.after(PROMPT_MS, () => {
      slot.late();
      void this.pump();
    });
    try {
      const headers = this.signer.headersOf(delivery, clock.now());
      if (!tracer) return await client.post(delivery.url, headers, delivery.body);
      // The endpoint can continue the trace.
      return await tracer.span(`deliver ${delivery.event}`, traced(delivery), (traceparent) =>
        client.post(delivery.url, { ...headers, traceparent }, delivery.body),
      );
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.id }, 'a delivery could not be attempted');
      return {
        ok: false,
        statusCode: null,
        error: inEnglish('not_tried'),
        durationMs: 0,
        responseBody: null,
      };
    } finally {
      cancel();
    }
  }

  private async atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
    let cancel: Cancel = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.parts.timers.after(milliseconds, resolve)));
    await Promise.race([work, late]);
    cancel();
  }
}

/** The span names only the host, because a path or a query may contain a secret of the endpoint. */
const traced = ({ traceparent, storeId, id, failedAttempts, url }: ClaimedDelivery): SpanOptions => ({
  parent: traceparent,
  outgoing: true,
  attributes: {
    'http.request.method': 'POST',
    'server.address': parseUrl(url)?.hostname,
    'shop.store_id': storeId,
    'shop.delivery_id': id,
    'shop.attempt': failedAttempts + 1,
  },
});
