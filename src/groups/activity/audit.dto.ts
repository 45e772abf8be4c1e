import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, OneOf, Text } from '../../platform/schema/fields.js';
import { FreeObject, Nested } from '../../platform/schema/list-fields.js';
import { TRANSPORTS } from '../../platform/store/audit.js';
import { TARGET_KINDS } from '../../platform/store/store-context.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';

const OUTCOMES = ['ok', 'forbidden'] as const;

@Example({ operation: 'ship_order' })
export class ListAuditInput extends PageInput {
  @Text({
    min: 1,
    max: 100,
    optional: true,
    description: 'List only rows of this operation, for example ship_order or token.create.',
  })
  operation?: string;
  @Text({
    min: 1,
    max: 100,
    optional: true,
    description: 'List only rows about this record, for example order:12. The id alone also works.',
  })
  target?: string;
  @Text({
    min: 1,
    max: 50,
    optional: true,
    description:
      'List only rows about this kind of record, for example order, customer, product, token or store.',
  })
  targetKind?: string;
  @Text({
    min: 1,
    max: 200,
    optional: true,
    description: 'List only what this token, person, shopper or app did: the id of the actor.',
  })
  actorId?: string;
  @OneOf(OUTCOMES, {
    optional: true,
    description: 'List only what was done (ok), or only what was refused (forbidden).',
  })
  outcome?: string;
  @DateTime({ optional: true, description: 'List only rows of this time and later ones.' }) from?: string;
  @DateTime({ optional: true, description: 'List only rows of this time and earlier ones.' }) to?: string;
}

@Example({ name: 'warehouse', id: '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07' })
export class ActorRecord {
  @OneOf(['token', 'user', 'shopper', 'system', 'client']) kind: string;
  @Text({ nullable: true }) id: string | null;
  @Text({ description: "The token's name, the user's e-mail address, or an app's name and whose app it is." })
  name: string;
}

@Example({
  operation: 'ship_order',
  target: 'order:1042',
  label: 'Order 1042, 33.70 USD, Emily Clark',
  targetKind: 'order',
  input: { orderId: 1042, carrier: 'DHL' },
  changes: { status: ['PROCESSING', 'SHIPPED'] },
  requestId: '7f3a1c07',
})
export class AuditRecord {
  @Identifier() id: string;
  @DateTime() at: Date;
  @Nested(() => ActorRecord, { typedByShopper: true }) actor: ActorRecord;
  @Text() operation: string;
  @OneOf(TRANSPORTS) transport: string;
  @Text({ nullable: true, description: 'A more exact name of what was done, for example promocode.enable.' })
  action: string | null;
  @Text({ nullable: true, description: 'The record that was changed, as kind:id.' }) target: string | null;
  @Text({
    nullable: true,
    typedByShopper: true,
    description: 'What people know the record by, as it is now or was when it was deleted.',
  })
  label: string | null;
  @OneOf(TARGET_KINDS, { nullable: true, description: 'The kind of that record: the part before the colon.' })
  targetKind: string | null;
  @FreeObject({
    typedByShopper: true,
    description:
      'The input of the call, without secrets. A value over 2 KiB is replaced by an object with shortened, ' +
      'length (in bytes) and sha256.',
  })
  input: object;
  @FreeObject({
    nullable: true,
    typedByShopper: true,
    description: 'The changed fields, each as [before, after].',
  })
  changes: object | null;
  @OneOf(OUTCOMES) outcome: string;
  @Text() requestId: string;
}
