import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import type { ClientBase } from 'pg';
import { newId } from '../platform/ids.js';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { OperationError } from '../platform/errors.js';
import * as sql from './accounts.statements.js';
import { normalEmail } from './email-address.js';
import type { Role } from './members.service.js';
import { checkPassword, newPassword } from './password.js';

/** Whoever knew the password that `passwordHash` is of. */
export interface Account extends Record<string, unknown> {
  userId: string;
  email: string;
  passwordHash: string;
}

/** A store as one of its members sees it. */
export interface MembershipRow extends Record<string, unknown> {
  id: string;
  name: string;
  currency: string;
  plan: string;
  role: Role;
  createdAt: Date;
}

/** What a person who just gave a new password keeps. */
export interface Kept {
  /** The hash of the session's token. */
  session: string;
  /** The hash of the browser's cookie. */
  browser: string | null;
}

/** People's accounts. They belong to no store, or to several, so they are reached past any store's session. */
@Injectable()
export class Accounts implements OnModuleInit {
  /** Verified where there is no account, so that it takes the same time. */
  private decoyHash: string;

  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    this.decoyHash = await hash(randomBytes(16));
  }

  /** @returns null for a wrong password and for an unknown account alike, which take the same time */
  async authenticate(email: string, password: string): Promise<Account | null> {
    const account = await this.find(email);
    const right = await verify(account?.passwordHash ?? this.decoyHash, password);
    return account && right ? account : null;
  }

  /** Authenticates, or makes the account if nobody has the address; both take the same time. @returns null for a wrong password */
  async authenticateOrRegister(email: string, password: string): Promise<(Account & { isNew: boolean }) | null> {
    const account = await this.find(email);
    if (account) return (await verify(account.passwordHash, password)) ? { ...account, isNew: false } : null;
    const passwordHash = await hash(password);
    const userId = await this.database.transaction((client) => this.insert(client, email, passwordHash));
    return userId === null ? null : { userId, email, passwordHash, isNew: true };
  }

  /** @returns the new account's id, or null when somebody has the address */
  async insert(client: ClientBase, email: string, passwordHash: string): Promise<string | null> {
    const { rows } = await client.query<{ id: string }>(sql.INSERT, [newId(), email, passwordHash, this.clock.now()]);
    return rows[0]?.id ?? null;
  }

  /** Takes back an account that was made for a membership which then did not come about. */
  async discard(userId: string): Promise<void> {
    await this.database.query(sql.DISCARD, [userId]);
  }

  /**
   * Sets a new password and ends all access that the old one gave: sessions, known browsers, links to reset it, apps that were let
   * in. Whatever else comes to stand for a person who signed in once ends here too.
   */
  async setPassword(client: ClientBase, userId: string, passwordHash: string, kept: Kept | null): Promise<void> {
    await client.query(sql.SET_PASSWORD, [userId, passwordHash]);
    await client.query(sql.END_SESSIONS, [userId, kept?.session ?? null]);
    await client.query(sql.FORGET_BROWSERS, [userId, kept?.browser ?? null]);
    await client.query(sql.DELETE_RESETS, [userId]);
    await client.query(sql.END_GRANTS, [userId]);
  }

  async changePassword(userId: string, password: string, kept: Kept): Promise<void> {
    const passwordHash = await hash(password);
    await this.database.transaction((client) => this.setPassword(client, userId, passwordHash, kept));
  }

  /**
   * Sets a person's password for the operator, for one who lost it, and ends their sessions.
   * @returns whose it is, and the password when it was generated, else null
   * @throws OperationError not_found when nobody has the address
   */
  async resetByOperator(address: string, given?: string): Promise<{ userId: string; email: string; password: string | null }> {
    const password = given ?? newPassword();
    checkPassword(password, 'password');
    const { userId, email } = await this.get(address);
    const passwordHash = await hash(password);
    await this.database.transaction((client) => this.setPassword(client, userId, passwordHash, null));
    return { userId, email, password: given === undefined ? password : null };
  }

  /** For the operator only: it reveals whether the account exists. @throws OperationError not_found */
  async get(address: string): Promise<Account> {
    const account = await this.find(normalEmail(address));
    if (!account) throw new OperationError('not_found', 'Nobody has this e-mail address');
    return account;
  }

  async find(email: string): Promise<Account | null> {
    const [account] = await this.database.query<Account>(sql.FIND, [email]);
    return account ?? null;
  }

  /** The stores a user may see, newest first. */
  storesOf(userId: string): Promise<MembershipRow[]> {
    return this.database.query<MembershipRow>(sql.LIST_STORES, [userId]);
  }
}
