import { DateTime, Flag, Identifier, OneOf, Text } from '../../platform/schema/fields.js';
import { EMAIL, MAX_EMAIL } from '../../platform/schema/formats.js';
import { type Role, ROLES } from '../../people/members.service.js';

export class InviteInput {
  @Text({ max: MAX_EMAIL, pattern: EMAIL, patternMeaning: 'the form name@host' }) email: string;
  @OneOf(ROLES, { optional: true, description: 'Default staff.' }) role?: Role;
}

export class MemberInput {
  @Identifier() userId: string;
}

export class ChangeRoleInput extends MemberInput {
  @OneOf(ROLES) role: Role;
}

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

export class TransferredOwnership extends ChangedRole {
  @OneOf(ROLES, { description: 'What you are in the store now.' }) yourRole: string;
}
