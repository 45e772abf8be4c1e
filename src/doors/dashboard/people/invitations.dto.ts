import { Example } from '../../../platform/schema/example.js';
import { DateTime, Flag, Identifier, OneOf, Text } from '../../../platform/schema/fields.js';
import { ROLES } from '../../../access/rights.js';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../../people/accounts/password.js';
import { Code } from './auth.dto.js';
import { GroupsOutput } from './tokens.dto.js';

@Example({ email: 'packer@shop.example', role: 'staff', expiresAt: '2026-05-11T09:30:00.000Z' })
export class InvitationRecord {
  @Identifier() id: string;
  @Text() email: string;
  @OneOf(ROLES, { description: 'The role of the person who redeems the invitation.' }) role: string;
  @GroupsOutput() groups: readonly string[] | null;
  @DateTime() createdAt: Date;
  @DateTime() expiresAt: Date;
}

@Example({ invitation: 'https://shop.example/dashboard/accept-invitation#…', emailed: false })
export class NewInvitationRecord extends InvitationRecord {
  @Text({
    description:
      'The link of the invitation. It is shown only in this answer and works once. Anyone who has it can ' +
      'redeem it, so pass it on safely.',
  })
  invitation: string;
  @Flag({ description: 'Whether the link is also sent to the e-mail address.' }) emailed: boolean;
}

const Link = () =>
  Text({
    min: 1,
    max: 2_048,
    secret: true,
    description: 'The link of the invitation, or only its part after the #.',
  });

@Example({ invitation: 'https://shop.example/dashboard/accept-invitation#…' })
export class ReadInvitationInput {
  @Link() invitation: string;
}

@Example({
  storeName: 'Nordwind',
  email: 'packer@shop.example',
  role: 'staff',
  expiresAt: '2026-05-11T09:30:00.000Z',
})
export class InvitationOffer {
  @Text() storeName: string;
  @Text({
    description: 'The e-mail address that was invited. A new account made with the link has this address.',
  })
  email: string;
  @OneOf(ROLES) role: string;
  @DateTime() expiresAt: Date;
}

@Example({
  invitation: 'https://shop.example/dashboard/accept-invitation#…',
  password: 'staple of all orchards',
})
export class AcceptInvitationInput {
  @Link() invitation: string;
  @Text({
    min: 1,
    max: MAX_PASSWORD,
    secret: true,
    optional: true,
    description:
      "The password of the invited address's account, or for a new account one of at least " +
      `${MIN_PASSWORD} characters.`,
  })
  password?: string;
  @Code(true) code?: string;
}

@Example({ storeId: '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07', storeName: 'Nordwind', role: 'staff' })
export class AcceptedInvitation {
  @Identifier({ optional: true }) storeId?: string;
  @Text({ optional: true }) storeName?: string;
  @OneOf(ROLES, { optional: true }) role?: string;
  @Flag({
    optional: true,
    description:
      'True if a code of the second factor is required: nothing has been done, so repeat the call with ' +
      '`code`.',
  })
  codeRequired?: boolean;
}
