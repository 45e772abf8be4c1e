import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import {
  AdminAccess,
  type AdminAccessOf,
  revokedOf,
  tellOf,
} from '../../../people/members/admin-access.service.js';
import { Invitations } from '../../../people/members/invitations.service.js';
import { type MemberRow, Members } from '../../../people/members/members.service.js';
import { OwnerNews } from '../../../people/members/owner-alerts.service.js';
import type { Proof } from '../../../people/sign-in/sign-in.service.js';
import type { Role } from '../../../access/rights.js';
import { TokenRegistry } from '../../../platform/auth/token-registry.js';
import { OperationRegistry } from '../../../platform/call/operation.registry.js';
import { invalidInput } from '../../../platform/errors.js';
import { changedFields } from '../../../platform/store/audit.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { Caller } from '../caller.js';
import { Confirmation } from '../confirmation.service.js';
import { NewInvitationRecord } from './invitations.dto.js';
import {
  ChangedRights,
  ChangeRoleInput,
  InviteInput,
  MemberRecord,
  RemovedMember,
  RemoveMemberInput,
  TransferOwnershipInput,
  TransferredOwnership,
} from './members.dto.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const PATH = 'stores/:storeId/members';
const NONE: AdminAccessOf = { tokens: [], connections: [] };

/** The members of a store. Only owners manage them, and there is always at least one owner. */
@Controller(API_PATH)
export class MembersController {
  constructor(
    private readonly members: Members,
    private readonly invitations: Invitations,
    private readonly tokens: TokenRegistry,
    private readonly operations: OperationRegistry,
    private readonly confirmation: Confirmation,
    private readonly news: OwnerNews,
    private readonly adminAccess: AdminAccess,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    scope: 'admin',
    summary: 'List the owners and the staff of the store',
    output: MemberRecord,
    list: true,
  })
  async list(ctx: StoreContext) {
    return { items: await this.members.list(ctx.storeId), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: PATH,
    scope: 'admin',
    summary: 'Invite somebody to the store',
    description:
      'Answers a one-time link that is good for 7 days, and sends it to the address where the service ' +
      'sends e-mail. An invitation of the same address from before stops working. Whether the address has ' +
      'an account makes no difference and is not revealed.',
    input: InviteInput,
    output: NewInvitationRecord,
    audited: 'member.invite',
    idempotencyKey: 'once',
    before: 'mayInvite',
  })
  async invite(ctx: StoreContext, input: InviteInput, _caller: Caller, isMailed: boolean) {
    const { email, role = 'staff' } = input;
    const groups = this.groupsOf(role, input.groups) ?? null;
    if (role === 'owner') await this.news.tell(ctx, `invited ${email} as an owner`);
    const invitation = await this.invitations.invite(ctx, { email, role, groups, isMailed });
    ctx.audit.target = `invitation:${invitation.id}`;
    return invitation;
  }

  /** @returns whether the link may be sent by e-mail */
  async mayInvite(ctx: StoreContext, input: InviteInput, caller: Caller): Promise<boolean> {
    const { email, role = 'staff' } = input;
    this.groupsOf(role, input.groups);
    await this.invitations.requireStranger(ctx, email);
    if (role === 'owner') await this.confirm(caller, input);
    return this.invitations.mayMail(ctx, email);
  }

  @Operation({
    door: DASHBOARD,
    method: 'PUT',
    path: `${PATH}/:userId`,
    scope: 'admin',
    summary: 'Change the role or the groups of a member; it takes effect at once',
    description:
      'The only owner of a store cannot be made staff. Invitations that somebody made as an owner end with ' +
      'the ownership, and so do tokens and apps of scope admin, unless `keepTokens`. A change of the role ' +
      'asks for your password, or for a code of your second factor.',
    input: ChangeRoleInput,
    output: ChangedRights,
    audited: 'member.role',
    before: 'mayChangeRole',
  })
  async changeRole(ctx: StoreContext, input: ChangeRoleInput, _caller: Caller, now: MemberRow) {
    const { userId } = input;
    const role = input.role ?? now.role;
    const groups = this.groupsOf(role, input.groups);
    const changesOwners = role !== now.role;
    const becomes = role === 'owner' ? `made ${now.email} an owner` : `made ${now.email} staff`;
    const before = await this.members.changeRole(ctx, userId, { role, groups }, changesOwners);
    const after = await this.members.rightsOf(ctx, userId);
    const isDemoted = before.role === 'owner' && role !== 'owner';
    const made = isDemoted ? await this.adminAccess.end(ctx, userId, input.keepTokens === true) : NONE;
    if (changesOwners) await this.news.tell(ctx, becomes + tellOf(made));
    Object.assign(ctx.audit, {
      target: `user:${userId}`,
      changes: { ...changedFields({ ...before }, { ...after }), ...revokedOf(made) },
    });
    return { userId, ...after, ...made };
  }

  /** @returns the member as they are, to which what was confirmed refers */
  async mayChangeRole(ctx: StoreContext, input: ChangeRoleInput, caller: Caller): Promise<MemberRow> {
    const now = await this.members.find(ctx.storeId, input.userId);
    const role = input.role ?? now.role;
    this.groupsOf(role, input.groups);
    if (input.keepTokens && now.userId === ctx.actor.id)
      throw invalidInput('keepTokens: only another owner may keep what you made').about('kept_by_another');
    if (role !== now.role) await this.confirm(caller, input);
    return now;
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/:userId/transfer-ownership`,
    scope: 'admin',
    summary: 'Make another member an owner and become staff yourself',
    description:
      'Asks for your password, or for a code of your second factor, once more. Invitations that you made ' +
      'as an owner end, and so do the tokens and apps of scope admin that you made.',
    input: TransferOwnershipInput,
    output: TransferredOwnership,
    audited: 'member.transfer_ownership',
    before: 'mayTransfer',
  })
  async transfer(
    ctx: StoreContext,
    { userId }: TransferOwnershipInput,
    _caller: Caller,
    { email }: MemberRow,
  ) {
    await this.members.transferOwnership(ctx, userId);
    const made = await this.adminAccess.end(ctx, ctx.actor.id!, false);
    await this.news.tell(ctx, `made ${email} the owner in their place${tellOf(made)}`);
    const changes = { owner: [ctx.actor.id, userId], ...revokedOf(made) };
    Object.assign(ctx.audit, { target: `user:${userId}`, changes });
    return { userId, role: 'owner', yourRole: 'staff', ...made };
  }

  async mayTransfer(ctx: StoreContext, input: TransferOwnershipInput, caller: Caller): Promise<MemberRow> {
    const member = await this.members.find(ctx.storeId, input.userId);
    await this.confirm(caller, input);
    return member;
  }

  @Operation({
    door: DASHBOARD,
    method: 'DELETE',
    path: `${PATH}/:userId`,
    scope: 'admin',
    summary: 'Remove a member, who loses access to the store at once',
    description:
      'The only owner of a store cannot be removed. Removing an owner asks for your password, or for a ' +
      'code of your second factor, once more. API tokens that the member made are revoked, unless ' +
      '`keepTokens`.',
    input: RemoveMemberInput,
    output: RemovedMember,
    audited: 'member.remove',
    before: 'mayRemove',
  })
  async remove(ctx: StoreContext, input: RemoveMemberInput, _caller: Caller, { role, email }: MemberRow) {
    const { userId, keepTokens = false } = input;
    const isOwner = role === 'owner';
    if (isOwner) await this.news.tell(ctx, `removed the owner ${email}`);
    const before = await this.members.remove(ctx, userId, isOwner);
    const made = await this.tokens.liveOf(ctx, userId);
    if (!keepTokens) for (const { id } of made) await this.tokens.revoke(ctx, id);
    const changes: Record<string, [unknown, unknown]> = { role: [before, null] };
    if (made.length > 0 && !keepTokens) changes.tokens = [made.map(({ id }) => id), null];
    Object.assign(ctx.audit, { target: `user:${userId}`, changes });
    return { userId, deleted: true, tokens: made.map((token) => ({ ...token, revoked: !keepTokens })) };
  }

  async mayRemove(ctx: StoreContext, input: RemoveMemberInput, caller: Caller): Promise<MemberRow> {
    const member = await this.members.find(ctx.storeId, input.userId);
    if (member.role === 'owner') await this.confirm(caller, input);
    return member;
  }

  /** A person who makes or removes an owner confirms who they are; every owner is told of it. */
  private confirm(caller: Caller, proof: Proof): Promise<void> {
    return this.confirmation.ask(caller, proof, 'making or removing an owner');
  }

  private groupsOf(role: Role, given: string[] | null | undefined): string[] | null | undefined {
    if (role === 'owner' && given) throw invalidInput('groups: an owner has every group');
    return given === undefined ? undefined : this.operations.knownGroups(given);
  }
}
