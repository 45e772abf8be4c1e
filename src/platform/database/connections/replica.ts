import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../logging/logger.js';
import { Client, isLost, POOL } from './connection.js';
import type { Query } from './driver.js';
import type { ReadConnections } from './read-connections.js';

/** The time limit for connecting. It is short, because the primary can answer instead. */
const CONNECT_MS = 1_000;
/** How long a read waits for the replica to catch up, which mostly takes milliseconds. */
const PATIENCE_MS = 100;
const STEP_MS = 5;
/** How long the replica is not used after it was too far behind, and after it could not be reached. */
const REST_BEHIND_MS = 1_000;
const REST_AWAY_MS = 5_000;

interface Position {
  lsn: string;
  timeline: number;
}

/**
 * How far the primary's log is written. A change is written before any call can see it. If commits do not
 * wait for that, the end of the log in memory is used, which covers them too.
 */
const POSITION = {
  name: 'replica_position',
  text: `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end)::text as lsn,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline`,
};

/**
 * Whether the server has everything up to that position. A server on an older timeline has another history,
 * and one that has become a primary has no replay position.
 */
const HAS = {
  name: 'replica_has',
  text: `select pg_is_in_recovery() and (pg_control_checkpoint()).timeline_id = $2
    and pg_last_wal_replay_lsn() >= $1::pg_lsn as has`,
};

/**
 * A standby that answers long reads, so that they do not burden the primary. It answers a read only if it has
 * everything that was visible on the primary when the read began, whichever process wrote it, so that a
 * caller never misses what it has seen before. That costs two short queries. Otherwise, or if anything goes
 * wrong, the caller asks the primary.
 */
export class Replica {
  /** The reads that the standby answered. */
  answered = 0;
  /** The reads left to the primary because the standby was behind or unavailable. */
  leftToPrimary = 0;
  private readonly pool: pg.Pool;
  private restsUntil = 0;
  private isAway = false;

  /** @param primary is asked for its position */
  constructor(
    url: string,
    private readonly primary: ReadConnections,
    private readonly log: Logger,
    max: number,
  ) {
    const options = { ...POOL, Client: ReplicaClient as unknown as typeof POOL.Client };
    this.pool = new pg.Pool({ ...options, connectionString: url, max, application_name: 'shop-replica' });
    // The next read finds out.
    this.pool.on('error', () => undefined);
  }

  /** @returns null when the primary must be asked */
  async read<Row extends pg.QueryResultRow>(query: Query): Promise<Row[] | null> {
    const rows = performance.now() < this.restsUntil ? null : await this.attempt<Row>(query);
    if (rows) this.answered++;
    else this.leftToPrimary++;
    return rows;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async attempt<Row extends pg.QueryResultRow>(query: Query): Promise<Row[] | null> {
    let position: Position;
    try {
      [position] = await this.primary.read<Position & pg.QueryResultRow>(POSITION);
    } catch {
      return null;
    }
    try {
      const client = await this.pool.connect();
      const rows = await this.readAfter<Row>(client, position, query).then(
        (found) => {
          client.release();
          return found;
        },
        (error: Error) => {
          client.release(error);
          throw error;
        },
      );
      if (!rows) this.rest(REST_BEHIND_MS);
      if (this.isAway) this.log.info('the read replica answers again');
      this.isAway = false;
      return rows;
    } catch (error) {
      return this.handOver(error as Error & { code?: string });
    }
  }

  /**
   * Runs in one transaction, so that a pooler uses one server. Each statement sees the data of the moment it
   * begins.
   */
  private async readAfter<Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    { lsn, timeline }: Position,
    query: Query,
  ): Promise<Row[] | null> {
    const begun = client.query('begin transaction read only');
    const deadline = performance.now() + PATIENCE_MS;
    const question = { ...HAS, values: [lsn, timeline] };
    let [, answer] = await Promise.all([begun, client.query<{ has: boolean }>(question)]);
    while (!answer.rows[0].has && performance.now() < deadline) {
      await sleep(STEP_MS);
      answer = await client.query<{ has: boolean }>(question);
    }
    if (!answer.rows[0].has) return client.query('rollback').then(() => null);
    const [{ rows }] = await Promise.all([client.query<Row>(query), client.query('commit')]);
    return rows;
  }

  /** @throws the errors that the primary would report too */
  private handOver(error: Error & { code?: string }): null {
    if (error.code === TOOK_TOO_LONG) throw error;
    if (!isLost(error)) {
      if (error.code !== IN_THE_WAY) this.log.warn({ err: error }, 'the read replica refused a read');
      return null;
    }
    if (!this.isAway)
      this.log.warn({ err: error }, 'the read replica is unavailable; the primary answers its reads');
    this.isAway = true;
    this.rest(REST_AWAY_MS);
    return null;
  }

  private rest(milliseconds: number): void {
    this.restsUntil = performance.now() + milliseconds;
  }
}

/**
 * Limits the time for connecting, and does not wait for a replica that was lost. The pool's own limit is for
 * waiting while all its connections are busy.
 */
class ReplicaClient extends Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS, awaitsReturn: false });
  }
}

/** SQLSTATE query_canceled, by the time limit of the role. */
const TOOK_TOO_LONG = '57014';
/**
 * SQLSTATE serialization_failure: replay had to remove row versions that the read needed, and could not wait
 * any longer.
 */
const IN_THE_WAY = '40001';
