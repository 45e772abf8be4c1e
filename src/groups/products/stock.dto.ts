import { Example } from '../../platform/schema/example.js';
import { ExactlyOneOf, Identifier, Integer } from '../../platform/schema/fields.js';
import { MAX_PRODUCT_ID } from './variants.dto.js';

@ExactlyOneOf('delta', 'absolute')
@Example({ productId: 'mug-classic', delta: 25 })
export class UpdateStockInput {
  @Identifier({ limit: MAX_PRODUCT_ID, description: "The product's internal id or external productId." }) productId: string;
  @Identifier({ optional: true, description: "Given: this variant's stock changes, not the product's." }) variantId?: string;
  @Integer({ optional: true, description: 'Added to the stock; negative takes away. Untracked stock counts from 0.' })
  delta?: number;
  @Integer({ min: 0, optional: true, description: 'What the stock becomes.' }) absolute?: number;
}

@Example({ productId: 'mug-classic', itemAmount: 37, previousItemAmount: 12 })
export class StockRecord {
  @Identifier({ description: 'The id the call named the product by.' }) productId: string;
  @Identifier({ optional: true }) variantId?: string;
  @Integer({ min: 0 }) itemAmount: number;
  @Integer({ min: 0, nullable: true, description: 'Null: was not tracked.' }) previousItemAmount: number | null;
}
