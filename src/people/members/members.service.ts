import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { Groups, Role } from '../../access/rights.js';
import type { RowOf } from '../../platform/database/statement.js';
import { runOn, SystemDatabase } from '../../platform/database/system.js';
import { isUuid } from '../../platform/schema/formats.js';
import { forbidden, invalidInput, notFound } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import * as sql from './members.statements.js';
import { WITHDRAW_OF_INVITER } from './invitations.statements.js';

export type MemberRow = RowOf<typeof sql.LIST>;

/** The members of a store and their roles. A store always has an owner. */
@Injectable()
export class Members {
  constructor(private readonly database: SystemDatabase) {}

  /** In the order in which they joined. */
  list(storeId: string): Promise<MemberRow[]> {
    return this.database.query(sql.LIST, { storeId });
  }

  /** @throws OperationError not_found */
  async find(storeId: string, userId: string): Promise<MemberRow> {
    const found = (await this.list(storeId)).find((member) => member.userId === userId.toLowerCase());
    if (!found) throw notFound('Member', userId);
    return found;
  }

  /** The rights of a member within the caller's transaction. */
  async rightsOf(ctx: StoreContext, userId: string): Promise<{ role: Role; groups: Groups }> {
    const [member] = await ctx.session.query(sql.LOCK_MEMBER, { userId });
    return member;
  }

  /** Adds the owner of a store that is created in the same transaction. */
  async addOwner(client: ClientBase, storeId: string, userId: string, now: Date): Promise<void> {
    await runOn(client, sql.ADD_OWNER, { store: storeId, userId, role: 'owner', groups: null, now });
  }

  /**
   * @param rights undefined leaves the groups of staff as they are
   * @returns the previous role and groups
   * @throws OperationError not_found; invalid_input if the store would be left without an owner
   */
  async changeRole(
    ctx: StoreContext,
    userId: string,
    { role, groups }: { role: Role; groups?: Groups },
    mayChangeOwners: boolean,
  ): Promise<{ role: Role; groups: Groups }> {
    const { before, groups: groupsBefore, owners } = await this.lock(ctx, userId);
    if (before !== role && !mayChangeOwners) throw changedMeanwhile();
    const isOwner = role === 'owner';
    const groupsAfter = isOwner ? null : groups === undefined ? groupsBefore : groups;
    if (before === 'owner' && !isOwner) this.keepAnOwner(owners);
    await ctx.session.query(sql.SET_ROLE, { userId, role, groups: groupsAfter && [...groupsAfter] });
    if (before === 'owner' && !isOwner) await this.withdrawInvitationsOf(ctx, userId);
    return { role: before, groups: groupsBefore };
  }

  /** Makes the caller a member of staff, and the other member an owner. */
  async transferOwnership(ctx: StoreContext, userId: string): Promise<void> {
    const from = ctx.actor.id!;
    if (userId === from)
      throw invalidInput('userId is your own: you are an owner of this store').about('owner_already');
    await this.lock(ctx, userId);
    await ctx.session.query(sql.SET_ROLE, { userId, role: 'owner', groups: null });
    await ctx.session.query(sql.SET_ROLE, { userId: from, role: 'staff', groups: null });
    await this.withdrawInvitationsOf(ctx, from);
  }

  /**
   * @returns the role the member had
   * @throws OperationError not_found; invalid_input for the only owner
   */
  async remove(ctx: StoreContext, userId: string, mayChangeOwners: boolean): Promise<Role> {
    const { before, owners } = await this.lock(ctx, userId);
    if (before === 'owner' && !mayChangeOwners) throw changedMeanwhile();
    if (before === 'owner') this.keepAnOwner(owners);
    await ctx.session.query(sql.REMOVE, { userId });
    await this.withdrawInvitationsOf(ctx, userId);
    return before;
  }

  /** Locks the owners and the member. Refuses a caller who has lost the ownership during this call. */
  private async lock(
    ctx: StoreContext,
    userId: string,
  ): Promise<{ before: Role; groups: Groups; owners: string[] }> {
    const owners = (await ctx.session.query(sql.LOCK_OWNERS)).map((owner) => owner.userId);
    if (!owners.includes(ctx.actor.id!)) throw forbidden("Only the store's owner may do this");
    const [member] = isUuid(userId) ? await ctx.session.query(sql.LOCK_MEMBER, { userId }) : [];
    if (!member) throw notFound('Member', userId);
    return { before: member.role, groups: member.groups, owners };
  }

  private keepAnOwner(owners: string[]): void {
    if (owners.length === 1)
      throw invalidInput('userId is the only owner of the store; make somebody else an owner first').about(
        'only_owner',
      );
  }

  /** Otherwise a link that a former owner created could bring the ownership back. */
  private async withdrawInvitationsOf(ctx: StoreContext, userId: string): Promise<void> {
    await ctx.session.query(WITHDRAW_OF_INVITER, { userId, now: ctx.now() });
  }
}

/** The caller confirmed nothing, because the member was no owner a moment ago. */
const changedMeanwhile = () =>
  invalidInput('The role of this member has changed this moment; try again').about('changed_meanwhile');
