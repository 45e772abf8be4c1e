import { Example } from '../../../platform/schema/example.js';
import { DateTime, Flag, Identifier, OneOf, Text } from '../../../platform/schema/fields.js';
import { ExactlyOneOf } from '../../../platform/schema/rules.js';
import { EMAIL, MAX_EMAIL } from '../../../platform/schema/formats.js';
import { type Role, ROLES } from '../../../access/rights.js';
import { Code, CurrentPassword } from './auth.dto.js';

@Example({ email: 'packer@shop.example', role: 'staff' })
export class InviteInput {
  @Text({ max: MAX_EMAIL, pattern: EMAIL, patternMeaning: 'the form name@host' }) email: string;
  @OneOf(ROLES, { optional: true, description: 'The role of the new member. The default is staff.' })
  role?: Role;
}

export class MemberInput {
  @Identifier() userId: string;
}

@ExactlyOneOf('currentPassword', 'code')
@Example({ currentPassword: 'correct horse battery' })
export class TransferOwnershipInput extends MemberInput {
  @CurrentPassword(true) currentPassword?: string;
  @Code(true) code?: string;
}

@Example({ role: 'staff' })
export class ChangeRoleInput extends MemberInput {
  @OneOf(ROLES) role: Role;
}

@Example({ email: 'packer@shop.example', role: 'staff' })
export class MemberRecord {
  @Identifier() userId: string;
  @Text() email: string;
  @OneOf(ROLES) role: string;
  @DateTime() createdAt: Date;
}

export class RemovedMember {
  @Identifier() userId: string;
  @Flag() deleted: boolean;
}

export class ChangedRole {
  @Identifier() userId: string;
  @OneOf(ROLES) role: string;
}

@Example({ yourRole: 'staff' })
export class TransferredOwnership extends ChangedRole {
  @OneOf(ROLES, { description: 'Your own role in the store after the call.' }) yourRole: string;
}
