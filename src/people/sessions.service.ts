import { Injectable } from '@nestjs/common';
import { newId } from '../platform/ids.js';
import { hashToken } from '../platform/auth/token.js';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { isUuid } from '../platform/schema/formats.js';
import type { Account } from './accounts.service.js';
import type { Role } from './members.service.js';
import { newSecret } from './one-time-link.js';
import * as sql from './sessions.statements.js';
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
      if ((await client.query(sql.LOCK_PASSWORD, [userId, passwordHash])).rowCount === 0) return null;
      await client.query(sql.CLEAR, [userId, oldest, idle, MAX_PER_USER - 1]);
      const browser = visitor.userAgent?.slice(0, MAX_BROWSER) ?? null;
      await client.query(sql.INSERT, [hashToken(token), newId(), userId, browser, visitor.address, now]);
      return token;
    });
  }

  /** @returns null for a token that is unknown, expired or revoked; `membership` is null outside the store, or without one */
  async find(token: string, storeId: string | null): Promise<{ session: Session; membership: Membership | null } | null> {
    const { now, oldest, idle } = this.bounds();
    const values = [hashToken(token), oldest, idle, storeId];
    const [row] = await this.database.read<FoundSession & Record<string, unknown>>(sql.FIND, values, 'find_session');
    if (!row) return null;
    const { lastSeenAt, role, currency, ...session } = row;
    if (now.getTime() - lastSeenAt.getTime() >= SEEN_MS) {
      await this.database.query(sql.SEEN, [session.tokenHash, now]);
    }
    return { session, membership: role && currency ? { role, currency } : null };
  }

  /**
   * Which of the sessions are open still, and their users members of the store they look at. Unlike `find` it is no use of them: a page
   * that is left open does not keep its session alive.
   */
  async stillOpen<Look extends { tokenHash: string; storeId: string }>(looks: Look[]): Promise<Set<Look>> {
    const { oldest, idle } = this.bounds();
    const values = [looks.map(({ tokenHash }) => tokenHash), looks.map(({ storeId }) => storeId), oldest, idle];
    const rows = await this.database.query<{ place: number }>(sql.OPEN, values, 'open_sessions');
    return new Set(rows.map(({ place }) => looks[place - 1]));
  }

  /** The user's sessions, the last used first. */
  async list({ userId, id }: Session): Promise<ListedSession[]> {
    const { oldest, idle } = this.bounds();
    return this.database.query<ListedSession>(sql.LIST, [userId, id, oldest, idle]);
  }

  /** Ends one session; an unknown token is not an error. */
  async end(token: string): Promise<void> {
    await this.database.query(sql.END, [hashToken(token)]);
  }

  /** Ends one of the user's sessions. @returns whether there was one */
  async endById(userId: string, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const ended = await this.database.query(sql.END_BY_ID, [userId, id]);
    return ended.length > 0;
  }

  /** @returns how many ended */
  async endOthers({ userId, id }: Session): Promise<number> {
    const ended = await this.database.query(sql.END_OTHERS, [userId, id]);
    return ended.length;
  }

  async endAllOf(userId: string): Promise<void> {
    await this.database.query(sql.END_ALL, [userId]);
  }

  private bounds(): { now: Date; oldest: Date; idle: Date } {
    const now = this.clock.now();
    return { now, oldest: new Date(now.getTime() - SESSION_LIFE_MS), idle: new Date(now.getTime() - IDLE_MS) };
  }
}
