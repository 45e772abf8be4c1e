import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Clock } from '../../platform/clock.js';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Cancel, Timers } from '../../platform/timers.js';
import { type SpanOptions, tracer } from '../../platform/observability/tracing.js';
import { parseUrl } from '../../platform/url.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { DeliveryMetrics } from './delivery-metrics.js';
import type { ClaimedDelivery, DeliveryQueue } from './delivery-queue.js';
import { DeliverySlots, type Pace, PROMPT_MS, type Slot } from './delivery-slots.js';
import { RetrySchedule } from './retry-schedule.js';
import { secretPurpose, webhookHeaders } from './signature.js';
import type { AttemptResult, WebhookClient } from './webhook-client.js';

/** Beyond the request's own limit: time to write the result before another worker may take over. */
const LEASE_MARGIN_MS = 5_000;
/** Each time what came due since the last look is looked for, and with every LOOKS_A_SWEEP-th time everything. */
const LOOK_MS = 1_000;
const LOOKS_A_SWEEP = 5;
/** A look goes back further than to the last one: a change shows when it is committed, and was due when it was written. */
const OVERLAP_MS = 5_000;
/** Secrets kept open at most. */
const OPEN_SECRETS = 1_000;
const DRAIN_MS = 11_000;
const CLOSE_MS = 500;

export interface DispatcherSettings {
  /** Whether this process delivers; one that does not only holds the class. */
  delivers: boolean;
  timeoutMs: number;
  retryDelaysSeconds: number[];
}

/** Everything a dispatcher touches: the test of its promises (test/simulation) puts a simulated world in their place. */
export interface DispatcherParts {
  queue: Pick<DeliveryQueue, 'dueStores' | 'paces' | 'claim' | 'record' | 'release'>;
  client: Pick<WebhookClient, 'post' | 'close'>;
  secrets: Pick<SecretBox, 'open'>;
  clock: Clock;
  timers: Timers;
  newId: () => string;
  /** Called with each delivery that is given up, once that is written. */
  onFailed?: (delivery: ClaimedDelivery) => void;
  metrics: DeliveryMetrics;
  log: Logger;
}

/**
 * Delivers what is due: claims rows, POSTs them, records the attempts. Woken by doorbells, and by looks of its own that make lost
 * doorbells, crashed workers and retries that come due all the same thing (docs/behaviour.md §7.5).
 */
export class Dispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly slots = new DeliverySlots();
  private readonly inFlight = new Map<ClaimedDelivery, Promise<void>>();
  /** By store, its secret and what it was sealed as: a busy store's is opened once, not for each delivery. */
  private readonly openSecrets = new Map<string, { sealed: string; secret: string }>();
  private readonly recorder: AttemptRecorder;
  private readonly schedule: RetrySchedule;
  private cancels: Cancel[] = [];
  private running = false;
  private claiming = false;
  private lastClaim: Promise<void> = Promise.resolve();
  private looking = 0;
  private looks = 0;
  /** When the last look that succeeded began. */
  private lookedAt = 0;

  constructor(
    private readonly settings: DispatcherSettings,
    private readonly parts: DispatcherParts,
  ) {
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

  /** Stops claiming and waits for the requests under way, then gives back what is left. */
  async beforeApplicationShutdown(): Promise<void> {
    const { queue, client } = this.parts;
    this.running = false;
    for (const cancel of this.cancels) cancel();
    // A claim that is under way gives back what it takes; nothing is started behind the back of this wait.
    await this.atMost(DRAIN_MS, Promise.allSettled([this.lastClaim, ...this.inFlight.values()]));
    await queue.release([...this.inFlight.keys()]).catch(() => undefined);
    await this.atMost(CLOSE_MS, client.close());
  }

  /** A store may have something due. */
  ring(storeId: string): void {
    this.slots.want(storeId, true);
    void this.pump();
  }

  /** Looks for everything due, whoever rang or did not; for nothing in a process that does not deliver. */
  async sweep(): Promise<void> {
    if (this.running) await this.look(true);
  }

  /** Looks that a slow database delays must not pile up before it. */
  private async lookUnlessLooking(): Promise<void> {
    if (this.looking === 0) await this.look(++this.looks % LOOKS_A_SWEEP === 0);
  }

  private async look(forEverything: boolean): Promise<void> {
    const { queue, clock, metrics, log } = this.parts;
    const began = clock.elapsed();
    this.looking++;
    try {
      const stores = await queue.dueStores(forEverything ? undefined : began - this.lookedAt + OVERLAP_MS);
      if (forEverything) metrics.due(stores);
      this.lookedAt = began;
      for (const { storeId, pace } of stores) {
        this.slots.learn(storeId, pace);
        this.slots.want(storeId, false);
      }
    } catch (error) {
      // A look that a stop overtakes finds its connections closed.
      if (this.running) log.warn({ err: error }, 'due deliveries could not be looked up');
    } finally {
      this.looking--;
    }
    await this.pump();
  }

  /** Claims for every store that waits and has a free slot, until there is nothing to claim. */
  private async pump(): Promise<void> {
    if (this.claiming || !this.running) return;
    this.claiming = true;
    try {
      while (this.running) {
        await this.meetStrangers();
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

  /** Which slots a store may have depends on its endpoint; what is not known here the database may know. */
  private async meetStrangers(): Promise<void> {
    const strangers = this.slots.strangers();
    if (strangers.length === 0) return;
    const known = new Map((await this.parts.queue.paces(strangers)).map(({ storeId, pace }) => [storeId, pace]));
    for (const storeId of strangers) this.slots.learn(storeId, known.get(storeId) ?? 'unknown');
  }

  private async claim(wanted: { storeId: string; free: number }[]): Promise<void> {
    const { queue, clock } = this.parts;
    const askedAt = clock.elapsed();
    try {
      const claimed = await queue.claim(wanted, this.settings.timeoutMs + LEASE_MARGIN_MS);
      // Asked to stop meanwhile, or frozen for so long (this process or the database) that the lease covers no whole attempt any more.
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
    // A store that filled its slots probably has more; it goes to the end of the line.
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
    metrics.attempt(status);
    const pace = slot.free(paceOf(result));
    void this.pump();
    const { durationMs, statusCode, error, responseBody: response } = result;
    const outcome = { durationMs, statusCode, error, response, status, retryInMs, pace } as const;
    await this.recorder.record({ id: newId(), delivery, begunAt, endedAt, ...outcome });
    if (status === 'failed') this.parts.onFailed?.(delivery);
    // A retry that is due at once (short delays) must not wait for the next look.
    if (retryInMs !== null && clock.elapsed() - endedAt >= retryInMs) this.ring(delivery.storeId);
  }

  private async post(delivery: ClaimedDelivery, slot: Slot): Promise<Omit<AttemptResult, 'startedAt'>> {
    const { client, timers, log } = this.parts;
    const cancel = timers.after(PROMPT_MS, () => {
      slot.late();
      void this.pump();
    });
    try {
      // Signed with the secret of now: a rotation counts for every attempt after it (docs/behaviour.md §7.3).
      const secret = this.secretOf(delivery);
      const headers = webhookHeaders({ event: delivery.event, deliveryId: delivery.id, secret, body: delivery.body });
      if (!tracer) return await client.post(delivery.url, headers, delivery.body);
      // What the endpoint does with it is part of the same trace.
      return await tracer.span(`deliver ${delivery.event}`, traced(delivery), (traceparent) =>
        client.post(delivery.url, { ...headers, traceparent }, delivery.body),
      );
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.id }, 'a delivery could not be attempted');
      return { ok: false, statusCode: null, error: 'the delivery could not be attempted', durationMs: 0, responseBody: null };
    } finally {
      cancel();
    }
  }

  /** @throws Error when it cannot be opened */
  private secretOf({ storeId, sealedSecret: sealed }: ClaimedDelivery): string {
    const known = this.openSecrets.get(storeId);
    if (known?.sealed === sealed) return known.secret;
    const secret = this.parts.secrets.open(sealed, secretPurpose(storeId));
    if (this.openSecrets.size >= OPEN_SECRETS) this.openSecrets.clear();
    this.openSecrets.set(storeId, { sealed, secret });
    return secret;
  }

  private async atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
    let cancel: Cancel = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.parts.timers.after(milliseconds, resolve)));
    await Promise.race([work, late]);
    cancel();
  }
}

/** The host alone: a path or a query may hold a secret of the endpoint's. */
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

/** Slots are a matter of time alone: who refuses at once frees its slot at once. */
function paceOf({ statusCode, durationMs }: Pick<AttemptResult, 'statusCode' | 'durationMs'>): Pace {
  if (durationMs < PROMPT_MS) return 'prompt';
  return statusCode === null ? 'silent' : 'slow';
}
