import { Injectable } from '@nestjs/common';
import { verify } from '@node-rs/argon2';
import type { ClientBase } from 'pg';
import { scopeOf } from '../../access/rights.js';
import { newId } from '../../platform/ids.js';
import { Caps } from '../../platform/caps/caps.js';
import { Clock } from '../../platform/clock.js';
import type { RowOf } from '../../platform/database/statement.js';
import { runOn, SignInDatabase, SystemDatabase } from '../../platform/database/system.js';
import { OperationError } from '../../platform/errors.js';
import type { Call } from '../../platform/store/call.js';
import * as sql from './accounts.statements.js';
import { DELETE as DELETE_FACTOR, DELETE_RECOVERY_CODES } from './second-factor.statements.js';
import { emailKey } from '../../platform/text/keys.js';
import { checkPassword, decoyHash, hashPassword, newPassword } from './password.js';

/** A person's account, with the hash of the password at the time it was read. */
export type Account = RowOf<typeof sql.FIND>;

/** A store as one of its members sees it. */
export type MembershipRow = RowOf<typeof sql.LIST_STORES>;

/** The access that a person keeps after setting a new password. */
export interface Kept {
  /** The hash of the session's token. */
  session: string;
  /** The hash of the browser's cookie. */
  browser: string | null;
}

/**
 * People's accounts. A person may belong to any number of stores, so accounts are read outside a store's
 * session.
 */
@Injectable()
export class Accounts {
  /** Verified if there is no account, so that the answer takes the same time. */
  private readonly decoyHash = decoyHash();

  constructor(
    private readonly database: SignInDatabase,
    private readonly lookUps: SystemDatabase,
    private readonly clock: Clock,
    private readonly caps: Caps,
  ) {}

  /** @returns null for a wrong password or an unknown account; both take the same time */
  async authenticate(email: string, password: string): Promise<Account | null> {
    const account = await this.find(email);
    const right = await verify(account?.passwordHash ?? this.decoyHash, password);
    return account && right ? account : null;
  }

  /**
   * Authenticates, or creates the account if nobody has the address; both take the same time.
   * @returns null for a wrong password
   * @throws OperationError invalid_input for a new account's password that is easy to guess
   */
  async authenticateOrRegister(
    email: string,
    password: string,
    isProven: boolean,
  ): Promise<(Account & { isNew: boolean }) | null> {
    const account = await this.find(email);
    if (account) return (await verify(account.passwordHash, password)) ? { ...account, isNew: false } : null;
    await checkPassword(password, email, 'password');
    const passwordHash = await hashPassword(password);
    const userId = await this.database.transaction((client) =>
      this.insert(client, email, passwordHash, isProven),
    );
    return userId === null ? null : { userId, email, passwordHash, isNew: true };
  }

  /**
   * @param isProven whether somebody vouches for the address: its mailbox, or the operator
   * @returns the new account's id, or null if the address is taken
   */
  async insert(
    client: ClientBase,
    email: string,
    passwordHash: string,
    isProven: boolean,
  ): Promise<string | null> {
    const now = this.clock.now();
    const user = { id: newId(), email, emailKey: emailKey(email), passwordHash, now };
    const [inserted] = await runOn(client, sql.INSERT, { ...user, provenAt: isProven ? now : null });
    return inserted?.id ?? null;
  }

  /** Deletes an account that was created for a membership that then failed. */
  async discard(userId: string): Promise<void> {
    await this.database.query(sql.DISCARD, { userId });
  }

  /**
   * Sets a new password and ends all access that the old one gave: sessions, known browsers, reset links,
   * connected apps and chats. Any new kind of access that a sign-in gives must end here too.
   */
  async setPassword(
    client: ClientBase,
    userId: string,
    passwordHash: string,
    kept: Kept | null,
  ): Promise<void> {
    await runOn(client, sql.SET_PASSWORD, { userId, passwordHash });
    await runOn(client, sql.END_SESSIONS, { userId, kept: kept?.session ?? null });
    await runOn(client, sql.FORGET_BROWSERS, { userId, kept: kept?.browser ?? null });
    await runOn(client, sql.DELETE_RESETS, { userId });
    await runOn(client, sql.END_GRANTS, { userId });
    await runOn(client, sql.END_CHATS, { userId });
  }

  /**
   * Notes that the person can read the mail of the address. The first time, a second factor ends that was
   * turned on before, because it may be that of somebody who only named the address (docs/behaviour.md §12).
   * @returns whether it was the first time
   */
  async prove(client: ClientBase, userId: string): Promise<boolean> {
    const [first] = await runOn(client, sql.PROVE, { userId, now: this.clock.now() });
    if (!first) return false;
    await runOn(client, DELETE_RECOVERY_CODES, { userId });
    await runOn(client, DELETE_FACTOR, { userId });
    return true;
  }

  /** Notes it of somebody who has given the password and any code as well, so nothing ends. */
  async noteProven(userId: string): Promise<void> {
    await this.database.query(sql.PROVE, { userId, now: this.clock.now() });
  }

  /**
   * Gives an account to the person who proves its address for the first time, with a new password.
   * @returns null if nobody has the address, or if it was proven before
   * @throws OperationError invalid_input for a password that is easy to guess
   */
  async startAnew(email: string, password: string): Promise<Account | null> {
    const account = await this.find(email);
    if (!account) return null;
    const passwordHash = await hashPassword(password);
    const { userId } = account;
    return this.database.transaction(async (client) => {
      if (!(await this.prove(client, userId))) return null;
      await checkPassword(password, email, 'password');
      await this.setPassword(client, userId, passwordHash, null);
      return { ...account, passwordHash };
    });
  }

  /** @throws OperationError invalid_input for a password that is easy to guess */
  async changePassword(
    call: Call,
    { userId, email }: Pick<Account, 'userId' | 'email'>,
    password: string,
    kept: Kept,
  ): Promise<void> {
    await checkPassword(password, email, 'newPassword');
    const holder = { userId, address: call.address };
    const passwordHash = await this.caps.within('passwords', holder, call, () => hashPassword(password));
    await this.database.transaction((client) => this.setPassword(client, userId, passwordHash, kept));
  }

  /**
   * Lets the operator set the password of a person who lost it. Ends the person's sessions.
   * @returns the account, and the password if it was generated, otherwise null
   * @throws OperationError not_found if nobody has the address
   */
  async resetByOperator(
    address: string,
    given?: string,
  ): Promise<{ userId: string; email: string; password: string | null }> {
    const password = given ?? newPassword();
    const { userId, email } = await this.get(address);
    await checkPassword(password, email, 'password');
    const passwordHash = await hashPassword(password);
    await this.database.transaction((client) => this.setPassword(client, userId, passwordHash, null));
    return { userId, email, password: given === undefined ? password : null };
  }

  /**
   * For the operator only, because it reveals whether the account exists. @throws OperationError not_found
   */
  async get(address: string): Promise<Account> {
    const account = await this.find(address);
    if (!account) throw new OperationError('not_found', 'Nobody has this e-mail address');
    return account;
  }

  async find(email: string): Promise<Account | null> {
    const [account] = await this.database.query(sql.FIND, { emailKey: emailKey(email) });
    return account ?? null;
  }

  /**
   * An account for the operator, without secrets, with the stores of which the person is a member.
   * @throws OperationError not_found
   */
  async show(address: string): Promise<RowOf<typeof sql.SHOW> & { stores: MembershipRow[] }> {
    const { userId, email } = await this.get(address);
    const [account] = await this.database.query(sql.SHOW, { emailKey: emailKey(email) });
    return { ...account, stores: await this.storesOf(userId) };
  }

  /** The stores of which the user is a member, newest first. */
  storesOf(userId: string): Promise<MembershipRow[]> {
    return this.lookUps.query(sql.LIST_STORES, { userId });
  }

  /** The stores in which the user has any right. */
  async openStoresOf(userId: string): Promise<MembershipRow[]> {
    return (await this.storesOf(userId)).filter(({ role }) => scopeOf(role) !== null);
  }
}
