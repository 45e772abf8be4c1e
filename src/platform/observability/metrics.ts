import { Injectable } from '@nestjs/common';
import type { Peer } from '../peer.js';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A figure that takes longer to get is left out of the answer. */
const LATE_MS = 1_000;

/** The figures of /metrics. Each part of the service adds its own to the registry. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'shop_request_duration_seconds',
    help: 'Answered requests by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  private readonly purges = new Gauge({
    name: 'shop_purge_succeeded_seconds',
    help: 'When what is kept no longer was last deleted without a failure, in seconds since 1970; at first the start of the process',
    labelNames: ['table'],
    registers: [this.registry],
  });

  /** @param parent of one of several processes: it joins the figures of all */
  constructor(private readonly parent?: Peer) {
    collectDefaultMetrics({ register: this.registry });
    parent?.on('own figures', () => this.registry.metrics());
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All figures of the service on this machine, as Prometheus reads them. */
  async text(): Promise<string> {
    return (await this.parent?.ask<string>('figures')) ?? this.registry.metrics();
  }

  /** @param route the matched route, never the raw path, which anyone can make up */
  request(route: string, status: number, seconds: number): void {
    this.requests.observe({ route, status: String(status) }, seconds);
  }

  /** Of a table nothing is left that is kept no longer; said at the start too, when that is still to be found out. */
  purged(table: string): void {
    this.purges.setToCurrentTime({ table });
  }

  /** A figure that is read when it is asked for, by one reading at a time. While it cannot be had there is none. */
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

  /** A fact about this process, given by the labels of a figure that is always 1. */
  info(name: string, help: string, labels: Record<string, string>): void {
    new Gauge({ name, help, labelNames: Object.keys(labels), registers: [this.registry] }).set(labels, 1);
  }
}

/** @returns null when it takes too long */
async function inTime(reading: Promise<number>): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, LATE_MS, null)));
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
