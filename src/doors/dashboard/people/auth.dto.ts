import { Example } from '../../../platform/schema/example.js';
import { DateTime, Flag, Identifier, Integer, OneOf, Text, Uri } from '../../../platform/schema/fields.js';
import { TextList } from '../../../platform/schema/list-fields.js';
import { MAX_EMAIL } from '../../../platform/schema/formats.js';
import { ROLES } from '../../../access/rights.js';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../../people/accounts/password.js';

export const CurrentPassword = (optional = false) =>
  Text({ min: 1, max: MAX_PASSWORD, secret: true, optional });
export const NewPassword = () => Text({ min: MIN_PASSWORD, max: MAX_PASSWORD, secret: true });

/** A code of the authenticator app, or a recovery code. */
export const Code = (optional = false) =>
  Text({
    min: 1,
    max: 40,
    secret: true,
    optional,
    description: 'The six digits of the authenticator app, or a recovery code. Each works once.',
  });

@Example({ email: 'owner@shop.example', password: 'correct horse battery' })
export class SignInInput {
  @Text({ isKey: true, min: 1, max: MAX_EMAIL }) email: string;
  @CurrentPassword() password: string;
  @Code(true) code?: string;
}

export class SignOutInput {
  @Flag({
    optional: true,
    description: 'Whether to end all other sessions of the user too. The default is false.',
  })
  everywhere?: boolean;
}

@Example({ currentPassword: 'correct horse battery', newPassword: 'staple of all orchards' })
export class ChangePasswordInput {
  @CurrentPassword() currentPassword: string;
  @NewPassword() newPassword: string;
}

@Example({ email: 'owner@shop.example' })
export class UserRecord {
  @Identifier() id: string;
  @Text() email: string;
  @DateTime() createdAt: Date;
}

const CODE_REQUIRED =
  'True when the password is right but the account has a second factor: nothing else is in the answer ' +
  'then, no session is started, and the same call is to be made again with `code`.';

@Example({
  id: '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07',
  email: 'owner@shop.example',
  createdAt: '2026-05-04T09:30:00.000Z',
})
export class SignInResult {
  @Identifier({ optional: true }) id?: string;
  @Text({ optional: true }) email?: string;
  @DateTime({ optional: true }) createdAt?: Date;
  @Flag({ optional: true, description: CODE_REQUIRED }) codeRequired?: boolean;
}

export class SignedOut {
  @Flag() signedOut: boolean;
}

@Example({
  name: 'Nordwind',
  currency: 'USD',
  currencyDecimals: 2,
  timeZone: 'Europe/Kyiv',
  language: 'uk',
  plan: 'pro',
  role: 'owner',
  uploads: true,
})
export class MembershipRecord {
  @Identifier() id: string;
  @Text() name: string;
  @Text() currency: string;
  @Integer({
    description:
      'The decimals of the currency: 2 for USD, 0 for XTR. One major unit is 10 to this power minor units.',
  })
  currencyDecimals: number;
  @Text({ description: 'The IANA time zone by which the pages show and take times.' }) timeZone: string;
  @Text() plan: string;
  @OneOf(ROLES, { description: 'The role of the signed-in user in this store.' }) role: string;
  @TextList({
    nullable: true,
    description: 'The groups and names of operations that the user may run there; null for every group.',
  })
  groups: readonly string[] | null;
  @Text({ description: 'The language of the fixed words that shoppers read.' }) language: string;
  @Uri({ nullable: true, description: "The store's logo, from its settings." }) logoUrl: string | null;
  @Text({ nullable: true, description: 'The colour of the shop, as #1a7f5a.' }) accent: string | null;
  @Flag({ description: 'Whether pictures can be uploaded. Always true.' })
  uploads: boolean;
  @Flag({ description: 'Whether the pages leave out the steps to the first sale.' })
  isFirstSaleHidden: boolean;
  @DateTime() createdAt: Date;
}

export class SignInOptions {
  @Flag({ description: 'Whether the service can send e-mail, so that auth/request-password-reset works.' })
  passwordReset: boolean;
  @Text({
    nullable: true,
    description: 'Where people reach who runs the service: an e-mail or a web address.',
  })
  contact: string | null;
}

@Example({ email: 'owner@shop.example' })
export class RequestPasswordResetInput {
  @Text({ isKey: true, min: 1, max: MAX_EMAIL }) email: string;
}

export class PasswordResetRequested {
  @Flag({ description: 'Always true. The answer does not show whether the address has an account.' })
  requested: boolean;
}

@Example({ link: 'https://shop.example/dashboard/reset-password#…', newPassword: 'staple of all orchards' })
export class ResetPasswordInput {
  @Text({
    min: 1,
    max: 2_048,
    secret: true,
    description: 'The link from the e-mail, or only its part after the #.',
  })
  link: string;
  @NewPassword() newPassword: string;
}

export class PasswordReset {
  @Flag() reset: boolean;
}
