import { isSameEmail } from '../accounts/email-address.js';
import { Injectable } from '@nestjs/common';
import { writeAudit } from '../../platform/store/audit.js';
import { hashToken } from '../../platform/auth/token.js';
import { Clock } from '../../platform/clock.js';
import type { RowOf } from '../../platform/database/statement.js';
import { StoreDatabase } from '../../platform/store/store-context.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { explainConstraints, invalidInput, OperationError } from '../../platform/errors.js';
import { sentence } from '../../platform/problems.js';
import { type Account, Accounts } from '../accounts/accounts.service.js';
import * as statements from './invitations.statements.js';
import { OwnerNews } from './owner-alerts.service.js';
import { JOIN } from './members.statements.js';
import { proofOf, secretOf } from '../accounts/one-time-link.js';
import type { Session } from '../sign-in/sessions.service.js';
import { SignIn, type SignedIn } from '../sign-in/sign-in.service.js';
import type { Visitor } from '../sign-in/known-browsers.service.js';

/** An invitation whose link works. */
export type OpenInvitation = RowOf<typeof statements.FIND>;

/**
 * Somebody without a session, with the password of the invited address's account, or the password for a new
 * account.
 */
export interface Newcomer {
  password?: string;
  code?: string;
}

explainConstraints({
  store_members_pkey: sentence('invitation: you are a member of this store already', 'member_already'),
});

/**
 * Redeems invitations. The holder of a link joins with the account they are signed in to, whatever its
 * address. Without a session they join with the invited address and a password, which creates the account if
 * there is none. For an existing account this is a sign-in like any other, with the same limits and refusals
 * and the second factor.
 */
@Injectable()
export class Joining {
  constructor(
    private readonly system: SystemDatabase,
    private readonly stores: StoreDatabase,
    private readonly accounts: Accounts,
    private readonly people: SignIn,
    private readonly news: OwnerNews,
    private readonly clock: Clock,
  ) {}

  /** Looks up a link. @throws OperationError invalid_input that says why the link does not work */
  async find(link: string): Promise<OpenInvitation> {
    const secret = secretOf(link);
    const proof = proofOf(link);
    const hashes = { tokenHash: hashToken(secret ?? ''), mailedHash: proof && hashToken(proof) };
    const [row] = secret ? await this.system.query(statements.FIND, hashes) : [];
    if (!row)
      throw invalidInput('invitation is not a link of this service; check that all of it was copied').about(
        'bad_link',
      );
    if (row.redeemedAt)
      throw invalidInput('invitation has been used already; ask for a new one').about('used_link');
    if (row.withdrawnAt)
      throw invalidInput('invitation has been withdrawn; ask for a new one').about('used_link');
    if (row.expiresAt <= this.clock.now())
      throw invalidInput('invitation has expired; ask for a new one').about('used_link');
    return row;
  }

  /** Joins with the account that is signed in. */
  async joinAs(session: Session, link: string, requestId: string): Promise<OpenInvitation> {
    const invitation = await this.find(link);
    await this.redeem(invitation, session, requestId);
    if (invitation.isMailed && isSameEmail(invitation.email, session.email))
      await this.accounts.noteProven(session.userId);
    return invitation;
  }

  /** Joins with the account of the invited address, and signs the person in. */
  async joinAnew(
    visitor: Visitor,
    { password, code }: Newcomer,
    link: string,
    requestId: string,
  ): Promise<{ invitation: OpenInvitation; signedIn: SignedIn } | 'code required'> {
    const invitation = await this.find(link);
    if (password === undefined)
      throw new OperationError('invalid_token', 'Sign in first, or give a password');
    const account = await this.people.identify(
      visitor,
      { email: invitation.email, password, code },
      { orRegister: true, proves: invitation.isMailed },
    );
    if (account === 'code required') return account;
    try {
      await this.redeem(invitation, account, requestId);
    } catch (error) {
      if (account.isNew) await this.accounts.discard(account.userId);
      throw error;
    }
    return { invitation, signedIn: await this.people.open(visitor, account) };
  }

  /**
   * Redeems the invitation. Of two concurrent redemptions only one succeeds.
   * @throws OperationError invalid_input for a link that has just been used, and for a member of the store,
   * whose link stays valid
   */
  private async redeem(
    { storeId, currency, id, role, groups }: OpenInvitation,
    { userId, email }: Pick<Account, 'userId' | 'email'>,
    requestId: string,
  ): Promise<void> {
    const principal = { storeId, currency, actor: { kind: 'user' as const, id: userId, name: email } };
    await this.stores.inStore(
      principal,
      async (ctx) => {
        const redeemed = await ctx.session.query(statements.REDEEM, { id, now: ctx.now() });
        if (redeemed.length === 0)
          throw invalidInput('invitation has been used or withdrawn this moment; ask for a new one').about(
            'used_link',
          );
        await ctx.session.query(JOIN, { userId, role, groups, now: ctx.now() });
        if (role === 'owner') await this.news.tell(ctx, 'became an owner');
        writeAudit(ctx, {
          operation: 'member.join',
          transport: 'dashboard',
          target: `user:${userId}`,
          input: { invitation: id },
          changes: { role: [null, role], ...(groups ? { groups: [null, groups] } : {}) },
          outcome: 'ok',
        });
      },
      requestId,
    );
  }
}
