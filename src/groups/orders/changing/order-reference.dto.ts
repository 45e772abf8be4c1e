import { Example } from '../../../platform/schema/example.js';
import { Integer, Text } from '../../../platform/schema/fields.js';
import { FreeObject } from '../../../platform/schema/list-fields.js';
import { AtLeastOneOf } from '../../../platform/schema/rules.js';
import { OrderIdInput } from '../order/order.record.js';

const EXTERNAL_ID = 'The id of the order in another system, by which find_orders finds it. Null: none.';
const METADATA = 'Whatever another system keeps with the order: at most 16 KiB of JSON. Null: nothing.';

@AtLeastOneOf('externalId', 'metadata')
@Example({ externalId: 'SO-2026-0815', metadata: { warehouse: 'B2' } })
export class SetOrderReferenceInput extends OrderIdInput {
  @Text({ min: 1, max: 200, optional: true, nullable: true, description: EXTERNAL_ID, hint: '' })
  externalId?: string | null;
  @FreeObject({ optional: true, nullable: true, description: METADATA, hint: 'Free keys.' })
  metadata?: object | null;
}

@Example({ orderId: 1042, externalId: 'SO-2026-0815', metadata: { warehouse: 'B2' } })
export class OrderReference {
  @Integer({ above: 0 }) orderId: number;
  @Text({ nullable: true, description: EXTERNAL_ID }) externalId: string | null;
  @FreeObject({ nullable: true, description: METADATA }) metadata: object | null;
}
