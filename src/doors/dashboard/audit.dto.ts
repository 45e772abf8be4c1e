import { Example } from '../../platform/schema/example.js';
import { DateTime, FreeObject, Identifier, Nested, OneOf, Text } from '../../platform/schema/fields.js';
import { PageInput } from '../../platform/schema/page.dto.js';

@Example({ operation: 'ship_order' })
export class ListAuditInput extends PageInput {
  @Text({ min: 1, max: 100, optional: true, description: 'Only rows of this operation, such as ship_order or token.create.' })
  operation?: string;
  @Text({ min: 1, max: 100, optional: true, description: 'Only rows about this record: order:12, or its id alone.' })
  target?: string;
}

@Example({ name: 'warehouse', id: '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07' })
export class ActorRecord {
  @OneOf(['token', 'user', 'shopper', 'system', 'client']) kind: string;
  @Text({ nullable: true }) id: string | null;
  @Text({ description: "The token's name, the user's e-mail address, or an app's name and whose app it is." }) name: string;
}

@Example({
  operation: 'ship_order',
  target: 'order:1042',
  input: { orderId: 1042, carrier: 'DHL' },
  changes: { status: ['PROCESSING', 'SHIPPED'] },
  requestId: '7f3a1c07',
})
export class AuditRecord {
  @Identifier() id: string;
  @DateTime() at: Date;
  @Nested(() => ActorRecord) actor: ActorRecord;
  @Text() operation: string;
  @OneOf(['http', 'mcp', 'dashboard', 'cli', 'oauth']) transport: string;
  @Text({ nullable: true, description: 'A finer name, such as promocode.enable.' }) action: string | null;
  @Text({ nullable: true, description: 'The record it was about, as kind:id.' }) target: string | null;
  @FreeObject({
    description: 'What was asked, without secrets. A value over 2 KiB is an object: shortened, length (bytes), sha256.',
  })
  input: object;
  @FreeObject({ nullable: true, description: 'Changed fields, each as [before, after].' }) changes: object | null;
  @OneOf(['ok', 'forbidden']) outcome: string;
  @Text() requestId: string;
}
