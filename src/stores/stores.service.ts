import { Injectable } from '@nestjs/common';
import { TokenRegistry } from '../platform/auth/token-registry.js';
import { newId } from '../platform/ids.js';
import { changedFields } from '../platform/store/audit.js';
import type { Principal } from '../platform/store/call.js';
import type { StoreContext } from '../platform/store/store-context.js';
import { Clock } from '../platform/clock.js';
import type { RowOf } from '../platform/database/statement.js';
import { runOn, SystemDatabase } from '../platform/database/system.js';
import { isCurrency } from '../platform/money.js';
import { isEmail, isUuid } from '../platform/schema/formats.js';
import { invalidInput, noSuchStore } from '../platform/errors.js';
import { Accounts } from '../people/accounts/accounts.service.js';
import { emailKey } from '../platform/text/keys.js';
import { storedEmail } from '../people/accounts/email-address.js';
import { Invitations } from '../people/members/invitations.service.js';
import { Members } from '../people/members/members.service.js';
import { checkPassword, hashPassword, newPassword } from '../people/accounts/password.js';
import { findPlan, PLANS } from './plans.js';
import { requireTimeZone } from './store-profile.js';
import * as sql from './stores.statements.js';

export type Store = RowOf<typeof sql.FIND>;
type NewRow = RowOf<typeof sql.INSERT>;

export interface NewStore {
  name: string;
  currency: string;
  ownerEmail: string;
  ownerPassword?: string;
  plan?: string;
  /** IANA. The default is UTC. */
  timeZone?: string;
}

export type CreatedStore = NewRow & {
  ownerEmail: string;
  /** The generated password of a new account; null if the caller chose it or the account already existed. */
  ownerPassword: string | null;
  /** The link that makes its holder the owner, if the address already has an account. */
  invitation?: string;
};

const DEFAULT_PLAN = 'pro';

/**
 * Creates, lists and finds stores for the operator. Data inside a store is reached through its own session.
 */
@Injectable()
export class Stores {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
    private readonly accounts: Accounts,
    private readonly invitations: Invitations,
    private readonly members: Members,
    private readonly tokens: TokenRegistry,
  ) {}

  /**
   * Creates a store with its owner. A new account becomes the owner at once. An existing account is not
   * notified and gets no access: the operator passes the link to the future owner (docs/behaviour.md §12).
   * @throws OperationError invalid_input, also if a password is given and the account already exists
   */
  async create(values: NewStore): Promise<CreatedStore> {
    const { name, currency, plan = DEFAULT_PLAN, timeZone = 'UTC' } = values;
    if (name.length < 1 || name.length > 200)
      throw invalidInput('name must be a string of 1 to 200 characters');
    if (!isCurrency(currency)) throw invalidInput('currency must be an ISO 4217 code such as USD, or XTR');
    if (!findPlan(plan))
      throw invalidInput(`plan must be one of ${PLANS.map(({ code }) => code).join(', ')}`);
    requireTimeZone(timeZone);
    const ownerEmail = storedEmail(values.ownerEmail);
    if (!isEmail(ownerEmail)) throw invalidInput('ownerEmail must be an e-mail address');
    const password = values.ownerPassword ?? newPassword();
    await checkPassword(password, ownerEmail, 'ownerPassword');
    const passwordHash = await hashPassword(password);
    const now = this.clock.now();
    return this.database.transaction(async (client) => {
      const [store] = await runOn(client, sql.INSERT, { id: newId(), name, currency, plan, timeZone, now });
      const userId = await this.accounts.insert(client, ownerEmail, passwordHash, true);
      if (userId === null) {
        if (values.ownerPassword !== undefined)
          throw invalidInput(
            'ownerPassword: the address has an account already, which keeps its own password; leave it out',
          );
        const invitation = await this.invitations.inviteOwner(client, store.id, ownerEmail);
        return { ...store, ownerEmail, ownerPassword: null, invitation };
      }
      await this.members.addOwner(client, store.id, userId, now);
      return { ...store, ownerEmail, ownerPassword: values.ownerPassword === undefined ? password : null };
    });
  }

  /**
   * @param filter.search a part of the name or the id
   * @param filter.email the address of a member
   */
  async list({ search, email }: { search?: string; email?: string } = {}): Promise<RowOf<typeof sql.LIST>[]> {
    const pattern = search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    return this.database.query(sql.LIST, { pattern, emailKey: email === undefined ? null : emailKey(email) });
  }

  /** Whether there is a store in this installation. */
  async hasAny(): Promise<boolean> {
    return (await this.database.query(sql.HAS_STORES))[0].hasAny;
  }

  /**
   * Suspends the store of the context, or resumes it: its callers are refused with the reason, and its
   * deliveries wait (docs/behaviour.md §9).
   * @param reason null to resume
   */
  async suspend(ctx: StoreContext, reason: string | null): Promise<RowOf<typeof sql.SET_SUSPENSION>> {
    if (reason !== null && (reason.trim().length < 1 || reason.length > 200))
      throw invalidInput('reason must be a string of 1 to 200 characters');
    const [before] = await ctx.session.query(sql.GET_SUSPENSION);
    const [after] = await ctx.session.query(sql.SET_SUSPENSION, {
      reason: reason?.trim() ?? null,
      now: ctx.now(),
    });
    ctx.audit.changes = changedFields(before, after);
    this.tokens.forgetStore(ctx);
    return after;
  }

  /** @throws OperationError not_found */
  async get(id: string): Promise<Store> {
    const [store] = isUuid(id) ? await this.database.query(sql.FIND, { id }) : [];
    if (!store) throw noSuchStore();
    return store;
  }

  /** The identity of the command line inside a store. */
  async operator(storeId: string): Promise<Pick<Principal, 'storeId' | 'currency' | 'actor'>> {
    const store = await this.get(storeId);
    return {
      storeId: store.id,
      currency: store.currency,
      actor: { kind: 'system', id: null, name: 'operator' },
    };
  }
}
