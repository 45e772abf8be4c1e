import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, DAY_MS } from '../../platform/clock.js';
import { SystemDatabase } from '../../platform/database/system.js';
import * as sql from './apps.statements.js';
import { GRANT_LIFE_MS } from './connections.service.js';

/** How long a registration is kept if nobody connects the app. */
const UNUSED_MS = DAY_MS;
/** How many of those there are. Then the oldest goes, so that nobody can keep others from registering. */
const MOST_UNUSED = 5_000;
/** How long a connected app is kept: as long as a grant can last, and a little longer. */
const USED_MS = GRANT_LIFE_MS + 30 * DAY_MS;

/**
 * Apps that registered themselves, those the operator added, and those the operator blocked
 * (docs/behaviour.md §15).
 */
@Injectable()
export class Apps {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /** The metadata of a registered or added client; undefined if there is none, or if it is blocked. */
  async find(id: string): Promise<object | undefined> {
    const [row] = await this.database.query(sql.FIND, { id, now: this.clock.now() });
    return row?.metadata;
  }

  /** Stores a client that registered itself, for a day unless somebody connects it. */
  async register(id: string, metadata: object): Promise<void> {
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + UNUSED_MS);
    const app = { id, kind: 'registered', metadata: JSON.stringify(metadata), now, expiresAt };
    await this.database.query(sql.INSERT, app);
    const unused = { unusedUntil: expiresAt, unusedSeconds: UNUSED_MS / 1_000, most: MOST_UNUSED };
    await this.database.query(sql.EVICT, unused);
  }

  /** Keeps a client that somebody connected. */
  async keep(id: string): Promise<void> {
    await this.database.query(sql.KEEP, { id, expiresAt: new Date(this.clock.now().getTime() + USED_MS) });
  }

  /** Adds a partner's app. @returns its client id */
  async add(metadata: object): Promise<string> {
    const id = `app_${randomBytes(16).toString('base64url')}`;
    await this.database.query(sql.INSERT, {
      id,
      kind: 'partner',
      metadata: JSON.stringify({ ...metadata, client_id: id }),
      now: this.clock.now(),
      expiresAt: null,
    });
    return id;
  }

  /** @param host the host of the client's metadata document */
  async isBlocked(id: string, host: string): Promise<boolean> {
    const found = await this.database.query(sql.FIND_BLOCKED, { names: [id, host] });
    return found.length > 0;
  }

  /** Whether the operator added the client. */
  async isPartner(id: string): Promise<boolean> {
    return (await this.database.query(sql.FIND_PARTNER, { id })).length > 0;
  }

  /**
   * Blocks a client, or all clients with documents on a host. `Connections` must end their grants afterwards.
   */
  async block(client: string): Promise<void> {
    await this.database.query(sql.BLOCK, { client, now: this.clock.now() });
  }

  /** @returns whether it was blocked */
  async unblock(client: string): Promise<boolean> {
    const gone = await this.database.query(sql.UNBLOCK, { client });
    return gone.length > 0;
  }
}
