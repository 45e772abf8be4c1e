import { Controller, Inject } from '@nestjs/common';
import { statement } from '../platform/database/statement.js';
import { isUuid } from '../platform/operation/formats.js';
import { explainConstraints, notFound } from '../platform/operation/operation-error.js';
import type { StoreContext } from '../platform/operation/store-context.js';
import { Accounts } from '../people/accounts.service.js';
import { normalEmail } from '../people/email-address.js';
import { AddedMember, AddMemberInput, MemberInput, MemberRecord, RemovedMember } from './members.dto.js';
import { Route } from './route.decorator.js';
import { API_PATH } from './route.metadata.js';

const PATH = 'stores/:storeId/members';

const ADD = statement(
  'add_member',
  `insert into store_members (store_id, user_id, role, created_at) values ($1, $2, 'staff', $3) returning created_at as "createdAt"`,
);

const REMOVE = statement(
  'remove_member',
  `delete from store_members where store_id = $1 and user_id = $2 and role = 'staff' returning 1`,
);

explainConstraints({ store_members_pkey: 'email is a member of this store already' });

/** The people of a store. Only its owner says who is on the staff; an owner is made with the store. */
@Controller(API_PATH)
export class MembersController {
  constructor(@Inject(Accounts) private readonly accounts: Accounts) {}

  @Route({
    method: 'GET',
    path: PATH,
    access: 'owner',
    summary: 'List the owner and the staff of the store',
    output: MemberRecord,
    list: true,
  })
  async list(ctx: StoreContext) {
    return { items: await this.accounts.membersOf(ctx.storeId), nextCursor: null };
  }

  @Route({
    method: 'POST',
    path: PATH,
    access: 'owner',
    summary: 'Add a member of staff',
    description: 'Makes an account for the address if there is none in use, with a password that is shown only in this answer.',
    input: AddMemberInput,
    output: AddedMember,
    audited: 'member.add',
  })
  async add(ctx: StoreContext, input: AddMemberInput) {
    const email = normalEmail(input.email);
    const { userId, password } = await this.accounts.findOrCreate(email);
    const [{ createdAt }] = await ctx.session.run<{ createdAt: Date }>(ADD, userId, ctx.now());
    ctx.audit.target = userId;
    return { userId, email, role: 'staff', createdAt, password };
  }

  @Route({
    method: 'DELETE',
    path: `${PATH}/:userId`,
    access: 'owner',
    summary: 'Remove a member of staff, whose sessions are shut out of the store at once',
    input: MemberInput,
    output: RemovedMember,
    audited: 'member.remove',
  })
  async remove(ctx: StoreContext, { userId }: MemberInput) {
    const removed = isUuid(userId) ? await ctx.session.run(REMOVE, userId) : [];
    if (removed.length === 0) throw notFound('The member of staff');
    ctx.audit.target = userId;
    return { userId, deleted: true };
  }
}
