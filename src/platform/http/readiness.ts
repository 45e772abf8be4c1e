import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { DataSource } from 'typeorm';
import { ReadConnections } from '../database/read-connections.js';
import { poolOf } from '../database/driver.js';
import { SystemDatabase } from '../database/system.js';
import { SecretBox } from '../crypto/secret-box.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { RedisThrottlerStorage } from '../rate-limit/redis-storage.js';
import { Drain } from './drain.js';

/** A check that takes longer has failed. */
const LATE_MS = 2_000;

interface Check {
  name: string;
  /** Rejects, or takes longer than two seconds, when it fails. */
  run: () => Promise<unknown>;
  /** What is different while it fails. A check without a warning is needed: while it fails, the service is not ready. */
  warning?: string;
}

/** The body of `/health/ready`. `warnings` is there when not empty. */
export interface ReadinessReport {
  status: 'ok' | 'unavailable' | 'stopping';
  checks: Record<string, 'ok' | 'unavailable'>;
  warnings?: string[];
}

/** Whether calls can be sent to this process, and why not (docs/behaviour.md §9). */
@Injectable()
export class Readiness {
  private readonly checks: Check[];
  /** Checks whose last answer is not in yet: a probe each second must not pile up before a database that hangs. */
  private readonly underWay = new Map<string, Promise<unknown>>();
  private readonly failing = new Set<string>();

  constructor(
    dataSource: DataSource,
    reads: ReadConnections,
    system: SystemDatabase,
    @Inject(ThrottlerStorage) storage: ThrottlerStorage,
    secrets: SecretBox,
    private readonly drain: Drain,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.checks = [
      { name: 'database', run: () => Promise.all([asStore(dataSource, reads), system.query(PROBE)]) },
      { name: 'key', run: () => knowsKey(system, secrets) },
      ...(storage instanceof RedisThrottlerStorage ? [{ name: 'redis', run: () => storage.ping(), warning: WITHOUT_REDIS }] : []),
    ];
  }

  async report(): Promise<ReadinessReport> {
    if (this.drain.isStopping) return { status: 'stopping', checks: {} };
    const outcomes = await Promise.all(this.checks.map(async (check) => ({ ...check, isOk: await this.passes(check) })));
    const failed = outcomes.filter(({ isOk }) => !isOk);
    const warnings = failed.flatMap(({ warning }) => warning ?? []);
    return {
      status: failed.length > warnings.length ? 'unavailable' : 'ok',
      checks: Object.fromEntries(outcomes.map(({ name, isOk }) => [name, isOk ? 'ok' : 'unavailable'])),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  }

  /** Logs when a check begins to fail and when it passes again. */
  private async passes({ name, run }: Check): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${LATE_MS} ms`)), LATE_MS);
    });
    try {
      let running = this.underWay.get(name);
      if (!running) {
        running = run().finally(() => this.underWay.delete(name));
        this.underWay.set(name, running);
      }
      await Promise.race([running, late]);
      if (this.failing.delete(name)) this.log.info({ check: name }, 'a readiness check passes again');
      return true;
    } catch (error) {
      if (!this.failing.has(name)) this.log.warn({ check: name, err: error }, 'a readiness check fails');
      this.failing.add(name);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A table that each of the service's own roles must be able to read. */
const PROBE = 'select from stores limit 1';

/** By a connection of the pool; by those that reads share while calls have all of it: a busy service is a ready one. */
async function asStore(dataSource: DataSource, reads: ReadConnections): Promise<void> {
  const pool = poolOf(dataSource);
  const hasRoom = pool.idleCount > pool.waitingCount || pool.totalCount < pool.options.max;
  await (hasRoom ? pool.query(PROBE) : reads.read({ text: PROBE }));
}

/** One of the configured keys must be in use: another database may have been restored under a running service. A newer key beside it is a rotation. */
async function knowsKey(system: SystemDatabase, { fingerprints }: SecretBox): Promise<void> {
  const text = 'select 1 from encryption_keys where fingerprint = any($1) limit 1';
  const rows = await system.query(text, [fingerprints], 'know_key');
  if (rows.length === 0) throw new Error('the secrets in the database are sealed with another encryption key');
}

const WITHOUT_REDIS =
  'Redis does not answer: each process counts rate limits by itself, and webhooks may wait a second for the sweep';
