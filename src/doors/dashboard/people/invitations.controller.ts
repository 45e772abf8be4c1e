import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { Invitations } from '../../../people/members/invitations.service.js';
import { Joining, type OpenInvitation } from '../../../people/members/joining.service.js';
import { invalidInput } from '../../../platform/errors.js';
import { Deleted, IdInput } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { Caller } from '../caller.js';
import { Cookies } from '../cookies.js';
import {
  AcceptedInvitation,
  AcceptInvitationInput,
  InvitationOffer,
  InvitationRecord,
  ReadInvitationInput,
} from './invitations.dto.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const PATH = 'stores/:storeId/invitations';

/** Invitations, for the owners who manage them and for the people who have a link. */
@Controller(API_PATH)
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly joining: Joining,
    private readonly cookies: Cookies,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    scope: 'admin',
    summary: 'List the open invitations, newest first',
    output: InvitationRecord,
    list: true,
  })
  async list(ctx: StoreContext) {
    return { items: await this.invitations.list(ctx), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'DELETE',
    path: `${PATH}/:id`,
    scope: 'admin',
    summary: 'Withdraw an invitation: its link stops working at once',
    input: IdInput,
    output: Deleted,
    audited: 'invitation.withdraw',
  })
  async withdraw(ctx: StoreContext, { id }: IdInput) {
    const { email, role } = await this.invitations.withdraw(ctx, id);
    Object.assign(ctx.audit, {
      target: `invitation:${id}`,
      changes: { email: [email, null], role: [role, null] },
    });
    return { id, deleted: true };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'auth/invitation',
    access: 'public',
    summary: 'Get what an invitation offers, by its link',
    input: ReadInvitationInput,
    output: InvitationOffer,
  })
  read({ invitation }: ReadInvitationInput, _caller: Caller): Promise<InvitationOffer> {
    return this.joining.find(invitation);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'auth/accept-invitation',
    access: 'optional',
    summary: 'Join a store with the link of an invitation',
    description:
      'The account that is signed in joins, whatever its address. Without a session `password` is needed: ' +
      'it signs in to the account of the invited address, under the limits of auth/sign-in, or makes it if ' +
      'there is none; the session cookie is set then. A link works once.',
    input: AcceptInvitationInput,
    output: AcceptedInvitation,
  })
  async accept(input: AcceptInvitationInput, { call, session }: Caller): Promise<AcceptedInvitation> {
    const { invitation, ...newcomer } = input;
    if (session) {
      if (input.password !== undefined)
        throw invalidInput(`password: you are signed in as ${session.email}; leave it out`).about(
          'signed_in_as',
          { email: session.email },
        );
      return accepted(await this.joining.joinAs(session, invitation, call.requestId));
    }
    const joined = await this.joining.joinAnew(
      this.cookies.visitorOf(call),
      newcomer,
      invitation,
      call.requestId,
    );
    if (joined === 'code required') return { codeRequired: true };
    this.cookies.signIn(call, joined.signedIn);
    return accepted(joined.invitation);
  }
}

const accepted = ({ storeId, storeName, role }: OpenInvitation): AcceptedInvitation => ({
  storeId,
  storeName,
  role,
});
