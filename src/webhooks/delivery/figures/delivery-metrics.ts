import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '../../../platform/observability/metrics.js';
import type { DueStore } from '../delivery-queue.js';

/** The metrics of a process that delivers. */
export class DeliveryMetrics {
  private readonly attempts: Counter<'outcome'>;
  private readonly givenUp: Counter;
  private readonly latency: Histogram;
  private readonly oldestDue: Gauge;
  private readonly silentEndpoints: Gauge;

  constructor(private readonly metrics: Metrics) {
    const registers = [metrics.registry];
    this.attempts = new Counter({
      name: 'shop_webhook_attempts_total',
      help: 'Attempts by outcome',
      labelNames: ['outcome'],
      registers,
    });
    this.givenUp = new Counter({
      name: 'shop_webhook_given_up_total',
      help: 'Deliveries that failed for good, after their last attempt',
      registers,
    });
    this.latency = new Histogram({
      name: 'shop_webhook_first_attempt_seconds',
      help: 'From the change to its first attempt',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 60],
      registers,
    });
    this.oldestDue = new Gauge({
      name: 'shop_webhook_oldest_due_seconds',
      help:
        'How long the oldest due delivery of an endpoint that answers has waited, as the last full look ' +
        'found',
      registers,
    });
    this.silentEndpoints = new Gauge({
      name: 'shop_webhook_silent_endpoints',
      help: 'Endpoints that do not answer and have something due, as the last full look found',
      registers,
    });
  }

  firstAttempt(milliseconds: number): void {
    this.latency.observe(Math.max(0, milliseconds) / 1000);
  }

  attempt(status: 'pending' | 'delivered' | 'failed', storeId: string): void {
    this.metrics.stores.count(storeId, 'deliveries');
    this.attempts.inc({ outcome: status === 'delivered' ? 'delivered' : 'failed' });
    if (status === 'failed') this.givenUp.inc();
  }

  /**
   * The result of a sweep. Endpoints that do not answer have a backlog for that reason, and are counted
   * separately.
   */
  due(stores: DueStore[]): void {
    const silent = stores.filter(({ pace }) => pace === 'silent');
    const waits = stores.filter(({ pace }) => pace !== 'silent').map(({ waitedMs }) => waitedMs);
    this.silentEndpoints.set(silent.length);
    this.oldestDue.set(waits.reduce((longest, wait) => Math.max(longest, wait), 0) / 1000);
  }
}
