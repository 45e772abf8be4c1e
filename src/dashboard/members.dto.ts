import { DateTime, Flag, Identifier, OneOf, Text } from '../platform/operation/fields.js';
import { EMAIL, MAX_EMAIL } from '../people/email-address.js';
import { ROLES } from './auth.dto.js';

export class AddMemberInput {
  @Text({ max: MAX_EMAIL, pattern: EMAIL, patternMeaning: 'the form name@host' }) email: string;
}

export class MemberInput {
  @Identifier() userId: string;
}

export class MemberRecord {
  @Identifier() userId: string;
  @Text() email: string;
  @OneOf(ROLES) role: string;
  @DateTime() createdAt: Date;
}

export class AddedMember extends MemberRecord {
  @Text({ nullable: true, description: 'To hand on, shown only now; null when the account is in use already and keeps its own.' })
  password: string | null;
}

export class RemovedMember {
  @Identifier() userId: string;
  @Flag() deleted: boolean;
}
