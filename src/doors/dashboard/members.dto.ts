import { Example } from '../../platform/schema/example.js';
import { CrossField, DateTime, ExactlyOneOf, Flag, Identifier, OneOf, Text } from '../../platform/schema/fields.js';
import { EMAIL, MAX_EMAIL } from '../../platform/schema/formats.js';
import { type Role, ROLES } from '../../people/members.service.js';
import { Code, CurrentPassword } from './auth.dto.js';

/** An owner has everything, and may take it from who made them one: whoever makes one proves again who they are. */
const ProofForOwner = CrossField({
  description: 'Where role is owner, exactly one of currentPassword, code is required; else neither is allowed.',
  check: ({ role, currentPassword, code }) => {
    const proofs = [currentPassword, code].filter((proof) => proof !== undefined).length;
    if (role === 'owner')
      return proofs === 1 ? null : 'currentPassword: exactly one of currentPassword, code is required to make an owner';
    return proofs === 0 ? null : 'currentPassword: it and code are only for making an owner';
  },
});

@ProofForOwner
@Example({ email: 'packer@shop.example', role: 'staff' })
export class InviteInput {
  @Text({ max: MAX_EMAIL, pattern: EMAIL, patternMeaning: 'the form name@host' }) email: string;
  @OneOf(ROLES, { optional: true, description: 'The role of the new member. The default is staff.' }) role?: Role;
  @CurrentPassword(true) currentPassword?: string;
  @Code(true) code?: string;
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

@ProofForOwner
@Example({ role: 'staff' })
export class ChangeRoleInput extends MemberInput {
  @OneOf(ROLES) role: Role;
  @CurrentPassword(true) currentPassword?: string;
  @Code(true) code?: string;
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
