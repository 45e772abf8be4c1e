import { type Scope, SCOPES } from '../../../access/rights.js';
import { Example } from '../../../platform/schema/example.js';
import { DateTime, Identifier, OneOf, Text } from '../../../platform/schema/fields.js';
import { TextList } from '../../../platform/schema/list-fields.js';
import { Code, CurrentPassword } from './auth.dto.js';
import { AtMostOneOf } from '../../../platform/schema/rules.js';

/** To what somebody is narrowed, in an input. */
export const GroupsInput = () =>
  TextList({
    optional: true,
    nullable: true,
    min: 1,
    itemMin: 1,
    itemLimit: 100,
    limit: 200,
    description:
      'Groups of operations and names of operations, as ?tools= of /mcp takes them; a call outside them is ' +
      '403. Null: every group.',
  });

/** To what somebody is narrowed, in an answer. */
export const GroupsOutput = () =>
  TextList({ nullable: true, description: 'The groups and names of operations; null for every group.' });

@AtMostOneOf('currentPassword', 'code')
@Example({ name: 'warehouse', scope: 'write', groups: ['orders', 'update_stock'] })
export class CreateTokenInput {
  @Text({ min: 1, max: 100 }) name: string;
  @OneOf(SCOPES, { description: 'What the token may do: admin includes write, and write includes read.' })
  scope: Scope;
  @DateTime({
    optional: true,
    nullable: true,
    description:
      'The time at which the token expires, which must be in the future. Without it the token does not ' +
      'expire.',
  })
  expiresAt?: string | null;
  @GroupsInput() groups?: string[] | null;
  @CurrentPassword(true) currentPassword?: string;
  @Code(true) code?: string;
}

@Example({
  name: 'warehouse',
  scope: 'write',
  groups: ['orders', 'update_stock'],
  createdByEmail: 'owner@shop.example',
})
export class ApiTokenRecord {
  @Identifier() id: string;
  @Text() name: string;
  @OneOf(SCOPES) scope: Scope;
  @GroupsOutput() groups: string[] | null;
  @DateTime() createdAt: Date;
  @DateTime({ nullable: true }) expiresAt: Date | null;
  @DateTime({ nullable: true }) lastUsedAt: Date | null;
  @DateTime({ nullable: true }) revokedAt: Date | null;
  @Identifier({
    nullable: true,
    description: 'The id of the member who made the token; null if the operator did.',
  })
  createdBy: string | null;
  @Text({
    nullable: true,
    description: 'The e-mail address of the person who made it, if the account still exists.',
  })
  createdByEmail: string | null;
}

@Example({ token: 'shop_live_…' })
export class CreatedToken extends ApiTokenRecord {
  @Text({ description: 'The token. It is shown only in this answer.' }) token: string;
}

export class RevokedToken {
  @Identifier() id: string;
  @DateTime() revokedAt: Date;
}
