import { Injectable } from '@nestjs/common';
import type { Peer } from '../peer.js';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { StoreFigures } from './store-figures.js';

/** A metric that takes longer to read is left out of the answer. */
const LATE_MS = 1_000;

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

  /** @param parent the parent process, if there are several processes: it joins the metrics of all */
  constructor(private readonly parent?: Peer) {
    collectDefaultMetrics({ register: this.registry });
    parent?.on('own figures', () => this.registry.metrics());
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics of the service on this machine, in the format of Prometheus. */
  async text(): Promise<string> {
    return (await this.parent?.ask<string>('figures')) ?? this.registry.metrics();
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
        const value = await inTime(once()).catch(() => null);
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }

  /** Adds a fact about this process, as the labels of a metric whose value is always 1. */
  info(name: string, help: string, labels: Record<string, string>): void {
    new Gauge({ name, help, labelNames: Object.keys(labels), registers: [this.registry] }).set(labels, 1);
  }
}

/** @returns null if the reading takes too long */
async function inTime(reading: Promise<number>): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, LATE_MS, null)));
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
