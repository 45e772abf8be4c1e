import { DateTime, Flag, Identifier, OneOf, Text } from '../platform/operation/fields.js';
import { MAX_PASSWORD, MIN_PASSWORD } from '../people/password.js';

export class SignInInput {
  @Text({ min: 1, max: 254 }) email: string;
  @Text({ min: 1, max: MAX_PASSWORD, secret: true }) password: string;
}

export class SignOutInput {
  @Flag({ optional: true, description: 'Also ends all other sessions of the user. Default false.' }) everywhere?: boolean;
}

export class ChangePasswordInput {
  @Text({ min: 1, max: MAX_PASSWORD, secret: true }) currentPassword: string;
  @Text({ min: MIN_PASSWORD, max: MAX_PASSWORD, secret: true }) newPassword: string;
}

export class UserRecord {
  @Identifier() id: string;
  @Text() email: string;
  @DateTime() createdAt: Date;
}

export class SignedOut {
  @Flag() signedOut: boolean;
}

export const ROLES = ['owner', 'staff'] as const;

export class MembershipRecord {
  @Identifier() id: string;
  @Text() name: string;
  @Text() currency: string;
  @Text() plan: string;
  @OneOf(ROLES, { description: 'What the signed-in user is in this store.' }) role: string;
  @DateTime() createdAt: Date;
}
