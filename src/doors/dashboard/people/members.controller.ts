import { Controller } from '@nestjs/common';
import { Invitations } from '../../../people/members/invitations.service.js';
import { Members } from '../../../people/members/members.service.js';
import { SignIn } from '../../../people/sign-in/sign-in.service.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { Caller } from '../caller.js';
import { Cookies } from '../cookies.js';
import { NewInvitationRecord } from './invitations.dto.js';
import {
  ChangedRole,
  ChangeRoleInput,
  InviteInput,
  MemberInput,
  MemberRecord,
  RemovedMember,
  TransferOwnershipInput,
  TransferredOwnership,
} from './members.dto.js';
import { API_PATH, Route } from '../route.decorator.js';

const PATH = 'stores/:storeId/members';

/** The members of a store. Only owners manage them, and there is always at least one owner. */
@Controller(API_PATH)
export class MembersController {
  constructor(
    private readonly members: Members,
    private readonly invitations: Invitations,
    private readonly people: SignIn,
    private readonly cookies: Cookies,
  ) {}

  @Route({
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

  @Route({
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
  })
  async invite(ctx: StoreContext, { email, role = 'staff' }: InviteInput) {
    const invitation = await this.invitations.invite(ctx, email, role);
    ctx.audit.target = `invitation:${invitation.id}`;
    return invitation;
  }

  @Route({
    method: 'PUT',
    path: `${PATH}/:userId`,
    scope: 'admin',
    summary: 'Change the role of a member; it takes effect at once',
    description:
      'The only owner of a store cannot be made staff. Invitations that somebody made as an owner end with ' +
      'the ownership.',
    input: ChangeRoleInput,
    output: ChangedRole,
    audited: 'member.role',
  })
  async changeRole(ctx: StoreContext, { userId, role }: ChangeRoleInput) {
    const before = await this.members.changeRole(ctx, userId, role);
    Object.assign(ctx.audit, { target: `user:${userId}`, changes: { role: [before, role] } });
    return { userId, role };
  }

  @Route({
    method: 'POST',
    path: `${PATH}/:userId/transfer-ownership`,
    scope: 'admin',
    summary: 'Make another member an owner and become staff yourself',
    description:
      'Asks for your password, or for a code of your second factor, once more. Invitations that you made ' +
      'as an owner end, and so do the admin rights of the apps that you have let in.',
    input: TransferOwnershipInput,
    output: TransferredOwnership,
    audited: 'member.transfer_ownership',
  })
  async transfer(ctx: StoreContext, { userId, ...proof }: TransferOwnershipInput, { call, session }: Caller) {
    await this.people.confirm(this.cookies.visitorOf(call), session!, proof);
    await this.members.transferOwnership(ctx, userId);
    Object.assign(ctx.audit, { target: `user:${userId}`, changes: { owner: [ctx.actor.id, userId] } });
    return { userId, role: 'owner', yourRole: 'staff' };
  }

  @Route({
    method: 'DELETE',
    path: `${PATH}/:userId`,
    scope: 'admin',
    summary: 'Remove a member, who loses access to the store at once',
    description: 'The only owner of a store cannot be removed.',
    input: MemberInput,
    output: RemovedMember,
    audited: 'member.remove',
  })
  async remove(ctx: StoreContext, { userId }: MemberInput) {
    const before = await this.members.remove(ctx, userId);
    Object.assign(ctx.audit, { target: `user:${userId}`, changes: { role: [before, null] } });
    return { userId, deleted: true };
  }
}
