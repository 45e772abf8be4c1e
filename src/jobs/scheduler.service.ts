import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Counter, Gauge } from 'prom-client';
import { systemStatement } from '../platform/database/statement.js';
import { SystemDatabase } from '../platform/database/system.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { Metrics } from '../platform/observability/metrics.js';
import { type Job, JOBS, WRITTEN_MS } from './job-list.js';

const KEEP_OUTCOME = systemStatement(
  'keep_job_outcome',
  `insert into job_runs (name, ran_at, duration_ms, error) values ($name, now(), $tookMs, $error?)
  on conflict (name) do update
  set ran_at = excluded.ran_at, duration_ms = excluded.duration_ms, error = excluded.error`,
);

/** Runs the jobs of the list. Their last outcomes are in /metrics and in job_runs, for `shop doctor`. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly timers = new Map<Job, NodeJS.Timeout>();
  private readonly running = new Map<Job, Promise<void>>();
  private readonly writtenAt = new Map<Job, number>();
  private readonly figures: ReturnType<typeof figuresOf>;

  constructor(
    private readonly services: ModuleRef,
    private readonly database: SystemDatabase,
    metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.figures = figuresOf(metrics);
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const job of JOBS) {
      if (job.firstMs === 0) await this.run(job);
      this.again(job, job.firstMs || job.periodMs);
    }
  }

  /** Waits for the jobs that are running. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers.values()) clearTimeout(timer);
    await Promise.all(this.running.values());
  }

  /** Runs the job now. Does not throw, because the next run tries again. */
  async run(job: Job): Promise<void> {
    const { name } = job;
    const began = performance.now();
    let error: string | null = null;
    try {
      await job.run(this.services, this.stopping.signal);
      this.figures.succeeded.setToCurrentTime({ name });
    } catch (err) {
      error = err instanceof Error ? err.message || err.name : String(err);
      this.figures.failures.inc({ name });
      this.log.warn({ err, job: name }, 'a job failed; its next run tries again');
    }
    const took = performance.now() - began;
    this.figures.durations.set({ name }, took / 1000);
    // A run that the stop has cut short says nothing of the job.
    if (!this.stopping.signal.aborted) await this.keep(job, took, error);
  }

  private again(job: Job, inMs: number): void {
    if (this.stopping.signal.aborted) return;
    const start = () =>
      this.running.set(
        job,
        this.run(job).then(() => this.again(job, job.periodMs)),
      );
    this.timers.set(job, setTimeout(start, inMs).unref());
  }

  private async keep(job: Job, took: number, error: string | null): Promise<void> {
    const isWritten = performance.now() - (this.writtenAt.get(job) ?? -Infinity) < WRITTEN_MS;
    if (isWritten && error === null) return;
    this.writtenAt.set(job, error === null ? performance.now() : -Infinity);
    // Without the database most jobs fail, and the log says so.
    const outcome = { name: job.name, tookMs: Math.round(took), error };
    await this.database.query(KEEP_OUTCOME, outcome).catch(() => undefined);
  }
}

function figuresOf({ registry }: Metrics) {
  const common = { labelNames: ['name'] as 'name'[], registers: [registry] };
  const periods = new Gauge({
    ...common,
    name: 'shop_job_period_seconds',
    help: 'The time from the end of a run of a job to the start of the next one',
  });
  const succeeded = new Gauge({
    ...common,
    name: 'shop_job_succeeded_seconds',
    help:
      'When a job last succeeded in this process, in seconds since 1970; at first the start of the ' +
      'process',
  });
  const durations = new Gauge({
    ...common,
    name: 'shop_job_duration_seconds',
    help: 'How long the last run of a job took',
  });
  const failures = new Counter({
    ...common,
    name: 'shop_job_failures_total',
    help: 'The runs of a job that failed',
  });
  for (const { name, periodMs } of JOBS) {
    periods.set({ name }, periodMs / 1000);
    succeeded.setToCurrentTime({ name });
    failures.inc({ name }, 0);
  }
  return { succeeded, durations, failures };
}
