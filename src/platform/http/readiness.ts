import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config/config.js';
import { expectOwnStatements } from '../database/connections/pooler.js';
import { ReadConnections } from '../database/connections/read-connections.js';
import { poolOf } from '../database/connections/driver.js';
import { systemStatement } from '../database/statement.js';
import { SystemDatabase } from '../database/system.js';
import { SecretBox } from '../crypto/secret-box.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { RedisThrottlerStorage } from '../rate-limit/redis-storage.js';
import { within } from '../timers.js';
import { Drain } from './drain.js';

/** The time limit of a check. */
const LATE_MS = 2_000;

interface Check {
  name: string;
  /** The check fails if this rejects or takes longer than LATE_MS. */
  run: () => Promise<unknown>;
  /**
   * What is different while the check fails. Without a warning, the service is not ready while the check
   * fails.
   */
  warning?: string;
}

/** The body of `/health/ready`. `warnings` is left out if there are none. */
export interface ReadinessReport {
  status: 'ok' | 'unavailable' | 'stopping';
  checks: Record<string, 'ok' | 'unavailable'>;
  warnings?: string[];
}

/** Whether calls can be sent to this process, and why not (docs/behaviour.md §9). */
@Injectable()
export class Readiness {
  private readonly checks: Check[];
  /**
   * The checks that are still running, so that a probe each second does not pile up checks before a database
   * that hangs.
   */
  private readonly underWay = new Map<string, Promise<unknown>>();
  private readonly failing = new Set<string>();

  constructor(
    dataSource: DataSource,
    reads: ReadConnections,
    system: SystemDatabase,
    @Inject(ThrottlerStorage) storage: ThrottlerStorage,
    secrets: SecretBox,
    @Inject(CONFIG) config: Config,
    private readonly drain: Drain,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.checks = [
      { name: 'database', run: () => Promise.all([asStore(dataSource, reads), system.query(PROBE)]) },
      { name: 'key', run: () => knowsKey(system, secrets) },
      ...(config.databaseDirectUrl
        ? [{ name: 'pooler', run: oncePassed(() => expectOwnStatements(system.pool)) }]
        : []),
      ...(storage instanceof RedisThrottlerStorage
        ? [{ name: 'redis', run: () => storage.ping(), warning: WITHOUT_REDIS }]
        : []),
    ];
  }

  async report(): Promise<ReadinessReport> {
    if (this.drain.isStopping) return { status: 'stopping', checks: {} };
    const outcomes = await Promise.all(
      this.checks.map(async (check) => ({ ...check, isOk: await this.passes(check) })),
    );
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
    try {
      let running = this.underWay.get(name);
      if (!running) {
        running = run().finally(() => this.underWay.delete(name));
        this.underWay.set(name, running);
      }
      await within(LATE_MS, running, () => {
        throw new Error(`no answer within ${LATE_MS} ms`);
      });
      if (this.failing.delete(name)) this.log.info({ check: name }, 'a readiness check passes again');
      return true;
    } catch (error) {
      if (!this.failing.has(name)) this.log.warn({ check: name, err: error }, 'a readiness check fails');
      this.failing.add(name);
      return false;
    }
  }
}

/** Reads a table that each of the service's roles must be able to read. */
const PROBE = systemStatement('probe', `select from stores limit 1`);

/**
 * Uses a connection of the pool, or the shared read connections while calls use the whole pool: a busy
 * service is still ready.
 */
async function asStore(dataSource: DataSource, reads: ReadConnections): Promise<void> {
  const pool = poolOf(dataSource);
  const hasRoom = pool.idleCount > pool.waitingCount || pool.totalCount < pool.options.max;
  await (hasRoom ? pool.query(PROBE.text) : reads.read({ text: PROBE.text }));
}

const KNOW_KEY = systemStatement(
  'know_key',
  `select from encryption_keys where fingerprint = any($fingerprints) limit 1`,
);

/**
 * One of the configured keys must be in use, because another database may have been restored under a running
 * service.
 */
async function knowsKey(system: SystemDatabase, { fingerprints }: SecretBox): Promise<void> {
  const rows = await system.query(KNOW_KEY, { fingerprints });
  if (rows.length === 0)
    throw new Error('the secrets in the database are sealed with another encryption key');
}

/** For a check of what only changes with a restart: it is not repeated once it has passed. */
function oncePassed(run: () => Promise<void>): () => Promise<void> {
  let hasPassed = false;
  return async () => {
    if (hasPassed) return;
    await run();
    hasPassed = true;
  };
}

const WITHOUT_REDIS =
  'Redis does not answer: each process counts rate limits by itself, ' +
  'and webhooks may wait a second for the sweep';
