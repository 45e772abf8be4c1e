import { Example } from '../../../platform/schema/example.js';
import { Decimal, Integer, Text } from '../../../platform/schema/fields.js';
import { Nested, NestedList } from '../../../platform/schema/list-fields.js';

@Example({ productId: 'mug-classic', variantId: null, quantity: 2 })
export class MovedPiecesRecord {
  @Text({ description: 'The external productId.' }) productId: string;
  @Text({ nullable: true }) variantId: string | null;
  @Integer({ above: 0 }) quantity: number;
}

@Example({ bonus: 6, promocode: 'SPRING10', cashback: 0, owed: 0 })
export class OrderMovementRecord {
  @NestedList(() => MovedPiecesRecord, { description: 'The pieces of stock.' }) stock: MovedPiecesRecord[];
  @Decimal({ majorUnits: true, min: 0, description: 'The bonus that the order spent, in major units.' })
  bonus: number;
  @Text({ nullable: true, description: 'The promocode of which a use was moved.' }) promocode: string | null;
  @Decimal({ majorUnits: true, min: 0, description: 'The cashback that the order earned, in major units.' })
  cashback: number;
  @Decimal({
    majorUnits: true,
    min: 0,
    description: "What of it the balance lacked and is now the customer's debt, in major units.",
  })
  owed: number;
}

/** The parts of a result that tell what a change of an order moved (docs/behaviour.md §6.11). */
export class OrderMovementResult {
  @Nested(() => OrderMovementRecord, {
    optional: true,
    description: 'What the order gave back; absent if nothing.',
  })
  givenBack?: OrderMovementRecord;
  @Nested(() => OrderMovementRecord, {
    optional: true,
    description: 'What was taken back for the order; absent if nothing.',
  })
  takenBack?: OrderMovementRecord;
}
