import { Injectable } from '@nestjs/common';
import { type Groups, type Role, scopeOf } from '../../access/rights.js';
import { newId } from '../../platform/ids.js';
import { hashToken } from '../../platform/auth/token.js';
import { Clock, DAY_MS } from '../../platform/clock.js';
import type { RowOf } from '../../platform/database/statement.js';
import { runOn, SignInDatabase, SystemDatabase } from '../../platform/database/system.js';
import { isUuid } from '../../platform/schema/formats.js';
import type { Suspended } from '../../platform/store/call.js';
import type { Account } from '../accounts/accounts.service.js';
import { newSecret } from '../accounts/one-time-link.js';
import * as sql from './sessions.statements.js';
import type { Visitor } from './known-browsers.service.js';

const HOUR_MS = 3_600_000;
/**
 * How long an unused session lasts, and how long any session lasts after its sign-in (docs/behaviour.md §10
 * leaves both open).
 */
const IDLE_MS = 12 * HOUR_MS;
export const SESSION_LIFE_MS = 30 * DAY_MS;
/** Last-seen times are written at most this often, so that a page view does not cost a write. */
const SEEN_MS = 5 * 60_000;
/** The most sessions of one user. A further sign-in ends the oldest session. */
const MAX_PER_USER = 50;
const MAX_BROWSER = 300;

/** The session of somebody who is signed in. */
export interface Session {
  id: string;
  tokenHash: string;
  userId: string;
  email: string;
  userCreatedAt: Date;
}

/** The signed-in user's membership of the requested store. */
export interface Membership extends Suspended {
  role: Role;
  groups: Groups;
  currency: string;
}

/** A session as its owner recognizes it. */
export type ListedSession = RowOf<typeof sql.LIST>;

/**
 * Sessions of the dashboard: a random token in a cookie, and its SHA-256 in the database. Session and
 * membership are looked up for every request, so that a sign-out, a new password, a changed role or a removed
 * member takes effect at once, on every instance.
 */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: SystemDatabase,
    private readonly signIn: SignInDatabase,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a session, and deletes the user's expired sessions and those beyond the maximum.
   * @returns the token for the cookie; null if the password that was checked is no longer the account's
   */
  async start(account: Account, visitor: Visitor): Promise<string | null> {
    const { userId, passwordHash } = account;
    const token = newSecret();
    const { now, oldest, idle } = this.bounds();
    return this.signIn.transaction(async (client) => {
      // A new password ends all sessions. A sign-in that waits for it here must not outlive it.
      const [found] = await runOn(client, sql.LOCK_PASSWORD, { userId, passwordHash });
      if (!found) return null;
      await runOn(client, sql.CLEAR, { userId, oldest, idle, most: MAX_PER_USER - 1 });
      const browser = visitor.userAgent?.slice(0, MAX_BROWSER) ?? null;
      const { address } = visitor;
      const session = { id: newId(), tokenHash: hashToken(token), userId, browser, address, now };
      await runOn(client, sql.INSERT, session);
      return token;
    });
  }

  /**
   * @returns null for a token that is unknown, expired or revoked; `membership` is null if the user is not a
   * member of the store
   */
  async find(
    token: string,
    storeId: string | null,
  ): Promise<{ session: Session; membership: Membership | null } | null> {
    const { now, oldest, idle } = this.bounds();
    const values = { tokenHash: hashToken(token), oldest, idle, storeId };
    const [row] = await this.database.read(sql.FIND, values);
    if (!row) return null;
    const { lastSeenAt, role, groups, currency, suspendedAt, suspendedReason, movedTo, ...session } = row;
    if (now.getTime() - lastSeenAt.getTime() >= SEEN_MS) {
      await this.database.query(sql.SEEN, { tokenHash: session.tokenHash, now });
    }
    const membership =
      role && currency ? { role, groups, currency, suspendedAt, suspendedReason, movedTo } : null;
    return { session, membership };
  }

  /**
   * Returns those sessions that are still open and whose users are still members of the store they are
   * looking at, which is not suspended. Unlike `find`, this does not count as use, so a page that is left
   * open does not keep its session alive.
   */
  async stillOpen<Look extends { tokenHash: string; storeId: string; groups: Groups }>(
    looks: Look[],
  ): Promise<Set<Look>> {
    const { oldest, idle } = this.bounds();
    const rows = await this.database.query(sql.OPEN, {
      tokenHashes: looks.map(({ tokenHash }) => tokenHash),
      storeIds: looks.map(({ storeId }) => storeId),
      oldest,
      idle,
    });
    const isSame = (a: Groups, b: Groups) => JSON.stringify(a) === JSON.stringify(b);
    return new Set(
      rows
        .filter(({ role, groups, place }) => scopeOf(role) && isSame(groups, looks[place - 1].groups))
        .map(({ place }) => looks[place - 1]),
    );
  }

  /** The user's sessions, last used first. */
  async list({ userId, id }: Session): Promise<ListedSession[]> {
    const { oldest, idle } = this.bounds();
    return this.database.query(sql.LIST, { userId, id, oldest, idle });
  }

  /** Ends one session; an unknown token is not an error. */
  async end(token: string): Promise<void> {
    await this.database.query(sql.END, { tokenHash: hashToken(token) });
  }

  /** Ends one of the user's sessions. @returns whether there was one */
  async endById(userId: string, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const ended = await this.database.query(sql.END_BY_ID, { userId, id });
    return ended.length > 0;
  }

  /** @returns how many ended */
  async endOthers({ userId, id }: Session): Promise<number> {
    const ended = await this.database.query(sql.END_OTHERS, { userId, id });
    return ended.length;
  }

  async endAllOf(userId: string): Promise<void> {
    await this.database.query(sql.END_ALL, { userId });
  }

  private bounds(): { now: Date; oldest: Date; idle: Date } {
    const now = this.clock.now();
    return {
      now,
      oldest: new Date(now.getTime() - SESSION_LIFE_MS),
      idle: new Date(now.getTime() - IDLE_MS),
    };
  }
}
