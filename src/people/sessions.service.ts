import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { hashToken } from '../platform/auth/token.js';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { isUuid } from '../platform/schema/formats.js';
import type { Account } from './accounts.service.js';
import type { Role } from './members.service.js';
import { newSecret } from './one-time-link.js';
import type { Visitor } from './visitor.js';

const HOUR_MS = 3_600_000;
/** A session nobody uses ends after this long, and any session this long after its sign-in (docs/behaviour.md §10 leaves it open). */
const IDLE_MS = 12 * HOUR_MS;
export const SESSION_LIFE_MS = 30 * 24 * HOUR_MS;
/** Last-seen times are written this often at most: a page view must not cost a write. */
const SEEN_MS = 5 * 60_000;
/** Of one user; a sign-in beyond it ends the oldest. */
const MAX_PER_USER = 50;
const MAX_BROWSER = 300;

/** Somebody who is signed in. */
export interface Session {
  id: string;
  tokenHash: string;
  userId: string;
  email: string;
  userCreatedAt: Date;
}

/** What the signed-in user is in the store that was asked for. */
export interface Membership {
  role: Role;
  currency: string;
}

/** A session as its owner recognizes it. */
export interface ListedSession extends Record<string, unknown> {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  browser: string | null;
  address: string | null;
  current: boolean;
}

type FoundSession = Session & { lastSeenAt: Date; role: Role | null; currency: string | null };

const FIND = `
  select s.id, s.token_hash as "tokenHash", u.id as "userId", u.email, u.created_at as "userCreatedAt",
    s.last_seen_at as "lastSeenAt", m.role, st.currency
  from sessions s join users u on u.id = s.user_id
    left join store_members m on m.user_id = u.id and m.store_id = $4
    left join stores st on st.id = m.store_id
  where s.token_hash = $1 and s.created_at > $2 and s.last_seen_at > $3`;

/** $1 the user, $2 and $3 what is expired, $4 how many may stay. */
const CLEAR = `
  delete from sessions where user_id = $1 and (created_at <= $2 or last_seen_at <= $3
    or id in (select id from sessions where user_id = $1 order by created_at desc, id desc offset $4))`;

const INSERT = `
  insert into sessions (token_hash, id, user_id, browser, address, created_at, last_seen_at) values ($1, $2, $3, $4, $5, $6, $6)`;

/**
 * Sessions of the dashboard: an opaque random token in a cookie, its SHA-256 in the database. Session and membership are looked up
 * for every request, so that a sign-out, a new password, another role or a removed member counts at once, on every instance.
 */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a session, and clears away the user's expired ones and those over the cap.
   * @returns its token, for the cookie; null when the password that was checked is the account's no more
   */
  async start(account: Account, visitor: Visitor): Promise<string | null> {
    const { userId, passwordHash } = account;
    const token = newSecret();
    const { now, oldest, idle } = this.bounds();
    return this.database.transaction(async (client) => {
      // A new password ends all sessions: one that waits for it here must not outlive it.
      const same = 'select from users where id = $1 and password_hash = $2 for no key update';
      if ((await client.query(same, [userId, passwordHash])).rowCount === 0) return null;
      await client.query(CLEAR, [userId, oldest, idle, MAX_PER_USER - 1]);
      const browser = visitor.userAgent?.slice(0, MAX_BROWSER) ?? null;
      await client.query(INSERT, [hashToken(token), uuidv7(), userId, browser, visitor.address, now]);
      return token;
    });
  }

  /** @returns null for a token that is unknown, expired or revoked; `membership` is null outside the store, or without one */
  async find(token: string, storeId: string | null): Promise<{ session: Session; membership: Membership | null } | null> {
    const { now, oldest, idle } = this.bounds();
    const values = [hashToken(token), oldest, idle, storeId];
    const [row] = await this.database.query<FoundSession & Record<string, unknown>>(FIND, values, 'find_session');
    if (!row) return null;
    const { lastSeenAt, role, currency, ...session } = row;
    if (now.getTime() - lastSeenAt.getTime() >= SEEN_MS) {
      await this.database.query('update sessions set last_seen_at = $2 where token_hash = $1', [session.tokenHash, now]);
    }
    return { session, membership: role && currency ? { role, currency } : null };
  }

  /** The user's sessions, the last used first. */
  async list({ userId, id }: Session): Promise<ListedSession[]> {
    const { oldest, idle } = this.bounds();
    return this.database.query<ListedSession>(
      `select id, created_at as "createdAt", last_seen_at as "lastUsedAt", browser, address, id = $2 as current
       from sessions where user_id = $1 and created_at > $3 and last_seen_at > $4 order by last_seen_at desc, id desc`,
      [userId, id, oldest, idle],
    );
  }

  /** Ends one session; a token that is none is no error. */
  async end(token: string): Promise<void> {
    await this.database.query('delete from sessions where token_hash = $1', [hashToken(token)]);
  }

  /** Ends one of the user's sessions. @returns whether there was one */
  async endById(userId: string, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const ended = await this.database.query('delete from sessions where user_id = $1 and id = $2 returning id', [userId, id]);
    return ended.length > 0;
  }

  /** @returns how many ended */
  async endOthers({ userId, id }: Session): Promise<number> {
    const ended = await this.database.query('delete from sessions where user_id = $1 and id <> $2 returning id', [userId, id]);
    return ended.length;
  }

  async endAllOf(userId: string): Promise<void> {
    await this.database.query('delete from sessions where user_id = $1', [userId]);
  }

  private bounds(): { now: Date; oldest: Date; idle: Date } {
    const now = this.clock.now();
    return { now, oldest: new Date(now.getTime() - SESSION_LIFE_MS), idle: new Date(now.getTime() - IDLE_MS) };
  }
}
