import { Example } from '../../../platform/schema/example.js';
import { Identifier, Text } from '../../../platform/schema/fields.js';
import { FreeObject } from '../../../platform/schema/list-fields.js';
import { AtLeastOneBesidesId } from '../../../platform/schema/rules.js';

const EXTERNAL_ID = 'The id of the customer in another system, by which find_customers finds it. Null: none.';
const METADATA = 'Whatever another system keeps with the customer: at most 16 KiB of JSON. Null: nothing.';

@AtLeastOneBesidesId()
@Example({ id: '7012345678', externalId: 'C-20815', metadata: { priceList: 'B' } })
export class SetCustomerReferenceInput {
  @Identifier() id: string;
  @Text({ min: 1, max: 200, optional: true, nullable: true, description: EXTERNAL_ID, hint: '' })
  externalId?: string | null;
  @FreeObject({ optional: true, nullable: true, description: METADATA, hint: 'Free keys.' })
  metadata?: object | null;
}

@Example({ id: '7012345678', externalId: 'C-20815', metadata: { priceList: 'B' } })
export class CustomerReference {
  @Identifier() id: string;
  @Text({ nullable: true, description: EXTERNAL_ID }) externalId: string | null;
  @FreeObject({ nullable: true, description: METADATA }) metadata: object | null;
}
