import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { hashToken } from '../platform/auth/token.js';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system-database.js';

const HOUR_MS = 3_600_000;
/** A session nobody uses ends after this long, and any session this long after its sign-in (docs/behaviour.md §10 leaves it open). */
const IDLE_MS = 12 * HOUR_MS;
export const SESSION_LIFE_MS = 30 * 24 * HOUR_MS;
/** Last-seen times are written this often at most: a page view must not cost a write. */
const SEEN_MS = 5 * 60_000;

export type Role = 'owner' | 'staff';

/** Somebody who is signed in. */
export interface Session {
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

type FoundSession = Session & { lastSeenAt: Date; role: Role | null; currency: string | null };

const FIND = `
  select s.token_hash as "tokenHash", u.id as "userId", u.email, u.created_at as "userCreatedAt", s.last_seen_at as "lastSeenAt",
    m.role, st.currency
  from sessions s join users u on u.id = s.user_id
    left join store_members m on m.user_id = u.id and m.store_id = $4
    left join stores st on st.id = m.store_id
  where s.token_hash = $1 and s.created_at > $2 and s.last_seen_at > $3`;

/**
 * Sessions of the dashboard: an opaque random token in a cookie, its SHA-256 in the database. Session and membership are looked up
 * for every request, so that a sign-out, a new password or a removed member counts at once, on every instance.
 */
@Injectable()
export class Sessions {
  constructor(
    @Inject(SystemDatabase) private readonly database: SystemDatabase,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Starts a session and clears away the user's expired ones. @returns its token, for the cookie */
  async start(userId: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const { now, oldest, idle } = this.bounds();
    await this.database.query(
      `with expired as (delete from sessions where user_id = $2 and (created_at <= $4 or last_seen_at <= $5))
       insert into sessions (token_hash, user_id, created_at, last_seen_at) values ($1, $2, $3, $3)`,
      [hashToken(token), userId, now, oldest, idle],
    );
    return token;
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

  /** Ends one session; a token that is none is no error. */
  async end(token: string): Promise<void> {
    await this.database.query('delete from sessions where token_hash = $1', [hashToken(token)]);
  }

  async endAllOf(userId: string): Promise<void> {
    await this.database.query('delete from sessions where user_id = $1', [userId]);
  }

  private bounds(): { now: Date; oldest: Date; idle: Date } {
    const now = this.clock.now();
    return { now, oldest: new Date(now.getTime() - SESSION_LIFE_MS), idle: new Date(now.getTime() - IDLE_MS) };
  }
}
