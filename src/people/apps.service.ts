import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { GRANT_LIFE_MS } from './connections.service.js';

const DAY_MS = 24 * 3_600_000;
/** A registration that nobody let in is forgotten. */
const UNUSED_MS = DAY_MS;
/** One that somebody did is remembered for as long as a grant can last, and a little longer. */
const USED_MS = GRANT_LIFE_MS + 30 * DAY_MS;

const NOT_BLOCKED = 'not exists (select from oauth_blocked_clients b where b.client = c.id)';

const INSERT = 'insert into oauth_clients (id, kind, metadata, created_at, expires_at) values ($1, $2, $3, $4, $5)';

/** Apps that registered themselves, those the operator added, and those the operator blocked (docs/behaviour.md §15). */
@Injectable()
export class Apps {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /** What a client that has a row here said of itself; undefined when there is none, or it is blocked. */
  async find(id: string): Promise<object | undefined> {
    const [row] = await this.database.query<{ metadata: object }>(
      `select metadata from oauth_clients c where id = $1 and (expires_at is null or expires_at > $2) and ${NOT_BLOCKED}`,
      [id, this.clock.now()],
    );
    return row?.metadata;
  }

  /** Keeps a client that registered itself, for a day unless somebody lets it in. */
  async register(id: string, metadata: object): Promise<void> {
    const now = this.clock.now();
    await this.database.query(INSERT, [id, 'registered', metadata, now, new Date(now.getTime() + UNUSED_MS)]);
  }

  /** Somebody let the client in. */
  async keep(id: string): Promise<void> {
    await this.database.query(`update oauth_clients set expires_at = $2 where id = $1 and kind = 'registered'`, [
      id,
      new Date(this.clock.now().getTime() + USED_MS),
    ]);
  }

  /** Adds a partner's app. @returns its client id */
  async add(metadata: object): Promise<string> {
    const id = `app_${randomBytes(16).toString('base64url')}`;
    await this.database.query(INSERT, [id, 'partner', { ...metadata, client_id: id }, this.clock.now(), null]);
    return id;
  }

  /** @param host where the client's document comes from */
  async isBlocked(id: string, host: string): Promise<boolean> {
    const found = await this.database.query('select from oauth_blocked_clients where client = any($1)', [[id, host]]);
    return found.length > 0;
  }

  /**
   * Refuses a client, or all whose documents come from a host, and ends what they were granted.
   * @returns how many grants ended
   */
  async block(client: string): Promise<number> {
    return this.database.transaction(async (connection) => {
      await connection.query('insert into oauth_blocked_clients (client, blocked_at) values ($1, $2) on conflict do nothing', [
        client,
        this.clock.now(),
      ]);
      const ended = await connection.query('delete from oauth_grants where client_id = $1 or client_host = $1', [client]);
      return ended.rowCount ?? 0;
    });
  }

  /** @returns whether it was blocked */
  async unblock(client: string): Promise<boolean> {
    const gone = await this.database.query('delete from oauth_blocked_clients where client = $1 returning 1', [client]);
    return gone.length > 0;
  }
}
