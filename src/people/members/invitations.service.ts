import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { Groups, Role } from '../../access/rights.js';
import { newId } from '../../platform/ids.js';
import { hashToken } from '../../platform/auth/token.js';
import { Clock, DAY_MS } from '../../platform/clock.js';
import type { RowOf } from '../../platform/database/statement.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { runOn } from '../../platform/database/system.js';
import { isUuid } from '../../platform/schema/formats.js';
import { explainConstraints, invalidInput, notFound } from '../../platform/errors.js';
import { sentence } from '../../platform/problems.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { mailLimit, storeMailLimit } from '../sign-in/attempt-limits.js';
import { Attempts } from '../sign-in/attempts.service.js';
import { emailKey } from '../../platform/text/keys.js';
import { isSameEmail, storedEmail } from '../accounts/email-address.js';
import * as statements from './invitations.statements.js';
import { invitationLetter } from '../accounts/email-templates.js';
import { Mailer } from '../accounts/mailer.service.js';
import { Members } from './members.service.js';
import { mailedLink, newSecret, oneTimeLink } from '../accounts/one-time-link.js';

const LIFE_MS = 7 * DAY_MS;
/** How long an expired invitation is kept, so that its link explains why it does not work. */
const KEPT_MS = 30 * DAY_MS;
const MAX_OPEN = 100;

export type InvitationRow = RowOf<typeof statements.LIST>;

/** Whom somebody invites, and whether the link goes to them by e-mail too. */
interface Invited {
  email: string;
  role: Role;
  groups: Groups;
  isMailed: boolean;
}

/** An invitation with its link, which is only returned when it is created. */
export type NewInvitation = InvitationRow & { invitation: string; emailed: boolean };

explainConstraints({
  invitations_open: sentence('email has been invited this moment by somebody else', 'invited_already', {
    path: 'email',
  }),
});

/**
 * One-time links that make their holder a member of a store (docs/behaviour.md §12). The address alone gives
 * no access, and nothing here checks whether it has an account.
 */
@Injectable()
export class Invitations {
  constructor(
    private readonly members: Members,
    private readonly attempts: Attempts,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws OperationError invalid_input for a member's address */
  async requireStranger(ctx: StoreContext, address: string): Promise<void> {
    const members = await this.members.list(ctx.storeId);
    if (members.some((member) => isSameEmail(member.email, address)))
      throw invalidInput('email is a member of this store already').about('member_already', {
        path: 'email',
      });
  }

  /**
   * Counts a letter with an invitation. It waits for its turn, so no connection of the database may wait for
   * it.
   * @returns whether it may be sent: not without a mail server, and not beyond the limits per address and per
   * store
   */
  async mayMail({ storeId, call }: StoreContext, address: string): Promise<boolean> {
    if (!this.mailer.isOn) return false;
    const limits = [mailLimit('invitation', address), storeMailLimit(storeId)];
    return (await this.attempts.waitFor(limits, call ?? undefined)) === 0;
  }

  /**
   * Invites an address. An earlier link for the same address stops working.
   * @throws OperationError invalid_input for a member's address, or if too many invitations are open
   */
  async invite(
    ctx: StoreContext,
    { email: address, role, groups, isMailed }: Invited,
  ): Promise<NewInvitation> {
    const email = storedEmail(address);
    await this.requireStranger(ctx, email);
    const now = ctx.now();
    const oldest = new Date(now.getTime() - KEPT_MS);
    const [{ open }] = await ctx.session.query(statements.COUNT_OPEN, {
      ...{ emailKey: emailKey(email), now, oldest },
    });
    if (open >= MAX_OPEN)
      throw invalidInput(`The store has ${MAX_OPEN} open invitations; withdraw some first`).about(
        'invitations_most',
        { most: MAX_OPEN },
      );
    await ctx.session.query(statements.WITHDRAW_ADDRESS, { emailKey: emailKey(email), now });
    const { values, invitation } = this.make(email, role, groups, ctx.actor.id ?? ctx.actor.name);
    const proof = newSecret();
    const mailedHash = isMailed ? hashToken(proof) : null;
    const [row] = await ctx.session.query(statements.INSERT, { ...values, mailedHash });
    if (isMailed) await this.mail(ctx, row, mailedLink(invitation, proof));
    return { ...row, invitation, emailed: isMailed };
  }

  /** Invites the owner of a store that is created in the same transaction. @returns the link */
  async inviteOwner(client: ClientBase, storeId: string, email: string): Promise<string> {
    const { values, invitation } = this.make(email, 'owner', null, 'operator');
    await runOn(client, statements.INVITE_OWNER, { store: storeId, ...values, mailedHash: null });
    return invitation;
  }

  /** Invitations that were neither redeemed nor withdrawn, newest first, including expired ones. */
  list(ctx: StoreContext): Promise<InvitationRow[]> {
    return ctx.session.read(statements.LIST);
  }

  /** @throws OperationError not_found, also for an invitation that was redeemed */
  async withdraw(ctx: StoreContext, id: string): Promise<InvitationRow> {
    const [row] = isUuid(id) ? await ctx.session.query(statements.WITHDRAW, { id, now: ctx.now() }) : [];
    if (!row) throw notFound('Invitation', id);
    return row;
  }

  private make(email: string, role: Role, groups: Groups, invitedBy: string) {
    const secret = newSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LIFE_MS);
    return {
      values: {
        id: newId(),
        email,
        emailKey: emailKey(email),
        role,
        groups: groups && [...groups],
        tokenHash: hashToken(secret),
        invitedBy,
        now,
        expiresAt,
      },
      invitation: oneTimeLink(this.config.baseUrl, 'accept-invitation', secret),
    };
  }

  private async mail(ctx: StoreContext, { email, role }: InvitationRow, link: string): Promise<void> {
    const [{ name }] = await ctx.session.query(statements.STORE_NAME);
    const letter = invitationLetter({ to: email, storeName: name, role, invitedBy: ctx.actor.name, link });
    ctx.session.onCommit(() => this.mailer.afterAnswer(() => this.mailer.send(letter)));
  }
}
