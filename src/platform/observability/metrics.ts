import { Injectable } from '@nestjs/common';
import { within } from '../timers.js';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A metric that takes longer to read is left out of the answer. */
const LATE_MS = 1_000;

/** How many stores /metrics shows: those with the most calls and deliveries of this process. */
const SHOWN = 50;
/** Beyond this many stores, the least busy half is forgotten. */
const MOST = 20_000;

const FIGURES = {
  calls: 'Calls of the busiest stores, through any door',
  refusals: 'Refused calls (4xx) of the busiest stores, through any door',
  deliveries: 'Attempts to deliver a webhook of the busiest stores',
};
type Figure = keyof typeof FIGURES;
type Counts = Record<Figure, number>;

/** Counts what each store does. Only the busiest are shown, because each store is a series of its own. */
export class StoreFigures {
  private readonly counts = new Map<string, Counts>();

  constructor(registry: Registry) {
    for (const figure of Object.keys(FIGURES) as Figure[]) {
      const busiest = () => this.busiest();
      new Counter({
        name: `shop_store_${figure}_total`,
        help: FIGURES[figure],
        labelNames: ['store'],
        registers: [registry],
        collect() {
          this.reset();
          for (const [store, counts] of busiest()) this.inc({ store }, counts[figure]);
        },
      });
    }
  }

  count(storeId: string, figure: Figure): void {
    let counts = this.counts.get(storeId);
    if (!counts) {
      if (this.counts.size >= MOST) this.forgetQuiet();
      this.counts.set(storeId, (counts = { calls: 0, refusals: 0, deliveries: 0 }));
    }
    counts[figure]++;
  }

  private busiest(most = SHOWN): [string, Counts][] {
    const activity = ([, { calls, deliveries }]: [string, Counts]) => calls + deliveries;
    return [...this.counts].sort((a, b) => activity(b) - activity(a)).slice(0, most);
  }

  private forgetQuiet(): void {
    const kept = this.busiest(MOST / 2);
    this.counts.clear();
    for (const [storeId, counts] of kept) this.counts.set(storeId, counts);
  }
}

/** The metrics of /metrics. Each part of the service adds its own to the registry. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  readonly stores = new StoreFigures(this.registry);

  private readonly requests = new Histogram({
    name: 'shop_request_duration_seconds',
    help: 'Answered requests by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  private readonly purges = new Gauge({
    name: 'shop_purge_succeeded_seconds',
    help:
      'When what is kept no longer was last deleted without a failure, in seconds since 1970; at first the ' +
      'start of the process',
    labelNames: ['table'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics, in the format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /**
   * @param route the matched route; never the raw path, which may be anything
   * @param storeId that of the caller; undefined if nobody was identified
   */
  request(route: string, status: number, seconds: number, storeId?: string): void {
    this.requests.observe({ route, status: String(status) }, seconds);
    if (storeId === undefined) return;
    this.stores.count(storeId, 'calls');
    if (status >= 400 && status < 499) this.stores.count(storeId, 'refusals');
  }

  /** Records that a table has no expired rows left. Also called at startup, before the first purge. */
  purged(table: string): void {
    this.purges.setToCurrentTime({ table });
  }

  /** Adds a metric that is read on request, once at a time. While it cannot be read, it is left out. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    let reading: Promise<number> | null = null;
    const once = () => (reading ??= (async () => read())().finally(() => (reading = null)));
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        const value = await within(LATE_MS, once(), () => null).catch(() => null);
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }

  /**
   * Adds a counter by outcome, read on request.
   * @param counts all outcomes from the start, so that also the first failure is a rise
   */
  outcomes(name: string, help: string, counts: Readonly<Record<string, number>>): void {
    new Counter({
      name,
      help,
      labelNames: ['outcome'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(counts)) this.inc({ outcome }, count);
      },
    });
  }

  /** Adds a fact about this process, as the labels of a metric whose value is always 1. */
  info(name: string, help: string, labels: Record<string, string>): void {
    new Gauge({ name, help, labelNames: Object.keys(labels), registers: [this.registry] }).set(labels, 1);
  }
}
