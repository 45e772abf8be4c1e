import { DateTime, Flag, Identifier, OneOf, Text } from '../../platform/schema/fields.js';
import { ROLES } from '../../people/members.service.js';
import { Code, NewPassword } from './auth.dto.js';

export class InvitationRecord {
  @Identifier() id: string;
  @Text() email: string;
  @OneOf(ROLES, { description: 'What whoever redeems it becomes.' }) role: string;
  @DateTime() createdAt: Date;
  @DateTime() expiresAt: Date;
}

export class NewInvitationRecord extends InvitationRecord {
  @Text({ description: 'The link, told only now. It works once; whoever holds it can redeem it, so hand it on safely.' })
  invitation: string;
  @Flag({ description: 'Whether it is also being sent to the address.' }) emailed: boolean;
}

const Link = () => Text({ min: 1, max: 2_048, secret: true, description: 'The link, or what stands behind its #.' });

export class ReadInvitationInput {
  @Link() invitation: string;
}

export class InvitationOffer {
  @Text() storeName: string;
  @Text({ description: 'The address that was invited, which an account made with the link gets.' }) email: string;
  @OneOf(ROLES) role: string;
  @DateTime() expiresAt: Date;
}

export class AcceptInvitationInput {
  @Link() invitation: string;
  @NewPassword(true) password?: string;
  @Code(true) code?: string;
}

export class AcceptedInvitation {
  @Identifier({ optional: true }) storeId?: string;
  @Text({ optional: true }) storeName?: string;
  @OneOf(ROLES, { optional: true }) role?: string;
  @Flag({ optional: true, description: 'As in auth/sign-in: nothing has happened yet, call again with `code`.' })
  codeRequired?: boolean;
}
