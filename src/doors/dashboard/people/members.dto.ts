import { tell } from '../../../platform/problems.js';
import { Example } from '../../../platform/schema/example.js';
import { DateTime, Flag, Identifier, OneOf, Text } from '../../../platform/schema/fields.js';
import { NestedList } from '../../../platform/schema/list-fields.js';
import { AtLeastOneOf, AtMostOneOf, ExactlyOneOf } from '../../../platform/schema/rules.js';
import { EMAIL, MAX_EMAIL } from '../../../platform/schema/formats.js';
import { type Role, ROLES, type Scope, SCOPES } from '../../../access/rights.js';
import { Code, CurrentPassword } from './auth.dto.js';
import { GroupsInput, GroupsOutput } from './tokens.dto.js';

@AtMostOneOf('currentPassword', 'code')
@Example({ email: 'packer@shop.example', role: 'staff', groups: ['orders'] })
export class InviteInput {
  @Text({
    ...{ isKey: true, max: MAX_EMAIL, pattern: EMAIL },
    ...{ patternMeaning: 'the form name@host', told: tell('email') },
  })
  email: string;
  @OneOf(ROLES, { optional: true, description: 'The role of the new member. The default is staff.' })
  role?: Role;
  @GroupsInput() groups?: string[] | null;
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

@AtLeastOneOf('role', 'groups')
@AtMostOneOf('currentPassword', 'code')
@Example({ role: 'staff', groups: ['orders'] })
export class ChangeRoleInput extends MemberInput {
  @OneOf(ROLES, { optional: true }) role?: Role;
  @GroupsInput() groups?: string[] | null;
  @Flag({
    optional: true,
    description:
      'Whether the tokens of scope admin that another owner made go on working when they become staff, and ' +
      'their apps with scope write.',
  })
  keepTokens?: boolean;
  @CurrentPassword(true) currentPassword?: string;
  @Code(true) code?: string;
}

@AtMostOneOf('currentPassword', 'code')
export class RemoveMemberInput extends MemberInput {
  @Flag({
    optional: true,
    description: 'Whether the API tokens that the member made go on working. The default is false.',
  })
  keepTokens?: boolean;
  @CurrentPassword(true) currentPassword?: string;
  @Code(true) code?: string;
}

@Example({ email: 'packer@shop.example', role: 'staff' })
export class MemberRecord {
  @Identifier() userId: string;
  @Text() email: string;
  @OneOf(ROLES) role: string;
  @GroupsOutput() groups: string[] | null;
  @DateTime() createdAt: Date;
}

@Example({ appName: 'Claude' })
export class ConnectionOfMember {
  @Identifier() id: string;
  @Text() appName: string;
  @Flag({ description: 'Whether the change revoked it.' }) revoked: boolean;
}

@Example({ name: 'warehouse', scope: 'write' })
export class TokenOfMember {
  @Identifier() id: string;
  @Text() name: string;
  @OneOf(SCOPES) scope: Scope;
  @Flag({ description: 'Whether the change revoked it.' }) revoked: boolean;
}

export class RemovedMember {
  @Identifier() userId: string;
  @Flag() deleted: boolean;
  @NestedList(() => TokenOfMember, { description: 'The API tokens that the member made and that worked.' })
  tokens: TokenOfMember[];
}

export class ChangedRole {
  @Identifier() userId: string;
  @OneOf(ROLES) role: string;
}

/** What somebody made as an owner, who is one no longer. */
class LostOwnership extends ChangedRole {
  @NestedList(() => TokenOfMember, { description: 'Their tokens of scope admin that worked.' })
  tokens: TokenOfMember[];
  @NestedList(() => ConnectionOfMember, { description: 'Their apps with access of scope admin.' })
  connections: ConnectionOfMember[];
}

export class ChangedRights extends LostOwnership {
  @GroupsOutput() groups: readonly string[] | null;
}

@Example({ yourRole: 'staff' })
export class TransferredOwnership extends LostOwnership {
  @OneOf(ROLES, { description: 'Your own role in the store after the call.' }) yourRole: string;
}
