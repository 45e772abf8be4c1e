import { type Scope, SCOPES } from '../../../access/rights.js';
import { Example } from '../../../platform/schema/example.js';
import { DateTime, Identifier, OneOf, Text } from '../../../platform/schema/fields.js';

@Example({ name: 'warehouse', scope: 'write' })
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
}

@Example({ name: 'warehouse', scope: 'write' })
export class ApiTokenRecord {
  @Identifier() id: string;
  @Text() name: string;
  @OneOf(SCOPES) scope: Scope;
  @DateTime() createdAt: Date;
  @DateTime({ nullable: true }) expiresAt: Date | null;
  @DateTime({ nullable: true }) lastUsedAt: Date | null;
  @DateTime({ nullable: true }) revokedAt: Date | null;
}

@Example({ token: 'shop_live_…' })
export class CreatedToken extends ApiTokenRecord {
  @Text({ description: 'The token. It is shown only in this answer.' }) token: string;
}

export class RevokedToken {
  @Identifier() id: string;
  @DateTime() revokedAt: Date;
}
