import { hostname } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Caps } from '../caps/caps.js';
import { CONFIG, type Config } from '../config/config.js';
import { Listener } from '../database/connections/listener.js';
import { Replica } from '../database/connections/replica.js';
import { ReadConnections } from '../database/connections/read-connections.js';
import { poolOf } from '../database/connections/driver.js';
import { type RowOf, systemStatement } from '../database/statement.js';
import { SignInDatabase, SystemDatabase } from '../database/system.js';
import { diskSpace } from '../disk.js';
import { RedisThrottlerStorage } from '../rate-limit/redis-storage.js';
import { within } from '../timers.js';
import { COMMIT, VERSION } from '../version.js';
import { Drain } from './drain.js';
import { Readiness } from './readiness.js';
import { Metrics } from '../observability/metrics.js';

/**
 * The platform's own metrics: requests and reads under way, pools, and whether the services it depends on
 * answer.
 */
@Injectable()
export class PlatformMetrics {
  constructor(
    @Inject(CONFIG) { roles, databaseUrl, dataDir }: Config,
    metrics: Metrics,
    dataSource: DataSource,
    system: SystemDatabase,
    signIn: SignInDatabase,
    reads: ReadConnections,
    listener: Listener,
    @Inject(Replica) replica: Replica | null,
    @Inject(ThrottlerStorage) storage: ThrottlerStorage,
    drain: Drain,
    readiness: Readiness,
    caps: Caps,
  ) {
    const serving = Object.entries(roles).flatMap(([role, isServed]) => (isServed ? role : []));
    const about = {
      version: VERSION,
      commit: COMMIT,
      node: process.version,
      host: hostname(),
      roles: serving.join(','),
    };
    metrics.info('shop_build_info', 'This process', about);
    metrics.gauge('shop_ready', '1 while calls can be sent to this process, as /health/ready says', () =>
      isReady(readiness),
    );
    metrics.gauge('shop_requests_under_way', 'Requests that have no whole answer yet', () => drain.requests);
    metrics.gauge('shop_stopping', '1 from the moment a stop is asked for', () => Number(drain.isStopping));
    metrics.gauge(
      'shop_reads_waiting',
      'Reads sent to the database and not answered yet',
      () => reads.waiting,
    );
    metrics.gauge('shop_listener_connected', '1 while notifications of the database arrive', () =>
      Number(listener.connected),
    );
    if (storage instanceof RedisThrottlerStorage) {
      metrics.gauge('shop_redis_connected', '1 while Redis counts rate limits', () =>
        Number(storage.isConnected),
      );
    }
    serverFigures(metrics, system);
    metrics.gauge(
      'shop_backup_succeeded_seconds',
      'When everything was last written to a backup, in seconds since 1970',
      async () => known((await system.query(LAST_BACKUP))[0].at),
    );
    if (!databaseUrl) diskFigures(metrics, dataDir);
    if (replica) {
      metrics.gauge('shop_replica_reads', 'Long reads the replica has answered', () => replica.answered);
      metrics.gauge(
        'shop_replica_reads_left',
        'Long reads it left to the primary',
        () => replica.leftToPrimary,
      );
    }
    const waiting = (pool: Pool) =>
      // A caller that has just asked is about to get an idle connection.
      Math.max(0, pool.waitingCount - pool.idleCount);
    const pools = {
      // Calls of stores wait for their turn, not for the pool.
      store: { pool: () => poolOf(dataSource), waiting: () => caps.figures('connections').waiting },
      system: { pool: () => system.pool, waiting: () => waiting(system.pool) },
      sign_in: { pool: () => signIn.pool, waiting: () => waiting(signIn.pool) },
    };
    metrics.gauge(
      'shop_long_reads_waiting',
      'Reports, searches and exports that wait for a connection',
      () => caps.figures('longReads').waiting,
    );
    metrics.gauge(
      'shop_turns_refused',
      'Calls that got no connection in time, because their store had its share',
      () => caps.figures('connections').refused + caps.figures('longReads').refused,
    );
    for (const [name, { pool, waiting }] of Object.entries(pools)) {
      metrics.gauge(
        `shop_pool_${name}_connections`,
        `Open connections of the ${name} pool`,
        () => pool().totalCount,
      );
      metrics.gauge(
        `shop_pool_${name}_waiting`,
        `Calls that wait for a connection of the ${name} pool`,
        waiting,
      );
    }
  }
}

/** From the operator log, so each process knows it, whichever machine the backup was made on. */
const LAST_BACKUP = systemStatement(
  'last_backup',
  `select extract(epoch from max(at))::float8 as at from operator_log
   where command = 'backup' and target is null`,
);

function diskFigures(metrics: Metrics, dataDir: string): void {
  metrics.gauge(
    'shop_disk_free_bytes',
    'What is free on the disk of the embedded database',
    async () => (await diskSpace(dataDir)).free,
  );
  metrics.gauge(
    'shop_disk_size_bytes',
    'The size of the disk of the embedded database',
    async () => (await diskSpace(dataDir)).size,
  );
}

/**
 * The time limit for the readiness checks. It is shorter than a metric's limit, so that a hanging check is
 * reported as not ready.
 */
const READY_MS = 900;

function isReady(readiness: Readiness): Promise<number> {
  const asked = readiness.report().then(({ status }) => Number(status === 'ok'));
  return within(READY_MS, asked, () => 0);
}

/**
 * Only a member of pg_read_all_stats sees the lag of standbys, and of what kind another role's process is.
 * Every role sees the number of standbys, what slots hold back, and the processes that serve a client: those
 * with a database and a role. The server keeps its last connections for others than the service.
 */
const SERVER = systemStatement(
  'database_server',
  `select (select count(*)::int from pg_stat_replication) as "standbys!",
    (select extract(epoch from max(replay_lag))::float8 from pg_stat_replication) as lag_seconds,
    case when not pg_is_in_recovery() then (
      select max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))::float8 from pg_replication_slots
    ) end as slot_bytes,
    (select count(*)::int from pg_stat_activity
     where datid is not null and usesysid is not null) as "connections!",
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as "connections_limit!"`,
);

/** The metrics of the database's server, with one query for all. */
function serverFigures(metrics: Metrics, system: SystemDatabase): void {
  let reading: Promise<RowOf<typeof SERVER>> | null = null;
  const read = async () => {
    reading ??= system
      .query(SERVER)
      .then(([row]) => row)
      .finally(() => (reading = null));
    return reading;
  };
  metrics.gauge(
    'shop_database_connections',
    "Connections to the database's server, whoever has them",
    async () => (await read()).connections,
  );
  metrics.gauge(
    'shop_database_connections_limit',
    'How many of them there can be',
    async () => (await read()).connections_limit,
  );
  metrics.gauge(
    'shop_replication_standbys',
    'Standbys that are connected to the database',
    async () => (await read()).standbys,
  );
  metrics.gauge('shop_replication_lag_seconds', 'How far the standby furthest behind is', async () =>
    known((await read()).lag_seconds),
  );
  metrics.gauge(
    'shop_replication_slot_bytes',
    'What the slot furthest behind keeps the database from deleting',
    async () => known((await read()).slot_bytes),
  );
}

/** @throws Error if the value is not available, so that the metric is left out */
function known(value: number | null): number {
  if (value === null) throw new Error('not known');
  return value;
}
