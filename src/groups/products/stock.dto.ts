import { Example } from '../../platform/schema/example.js';
import { Identifier, Integer } from '../../platform/schema/fields.js';
import { ExactlyOneOf } from '../../platform/schema/rules.js';
import { Warnings } from '../../platform/schema/warnings.js';
import { ProductId } from './variants/variants.dto.js';

@ExactlyOneOf('delta', 'absolute')
@Example({ productId: 'mug-classic', delta: 25 })
export class UpdateStockInput {
  @ProductId() productId: string;
  @Identifier({
    optional: true,
    description:
      'The id of the variant whose stock changes. Without it the stock of the product itself changes.',
    hint: '',
  })
  variantId?: string;
  @Integer({
    optional: true,
    description:
      'The number of pieces to add; a negative number removes pieces. Stock that is not tracked counts ' +
      'from 0.',
    hint: 'Pieces to add.',
  })
  delta?: number;
  @Integer({
    min: 0,
    optional: true,
    description: 'The number of pieces that the stock is set to.',
    hint: 'Pieces to set.',
  })
  absolute?: number;
}

@Example({ productId: 'mug-classic', itemAmount: 37, previousItemAmount: 12 })
export class StockRecord {
  @Identifier({ description: 'The id of the product, as it was given in the call.' }) productId: string;
  @Identifier({ optional: true }) variantId?: string;
  @Integer({ min: 0 }) itemAmount: number;
  @Integer({
    min: 0,
    nullable: true,
    description: 'The number of pieces before the change; null if stock was not tracked.',
  })
  previousItemAmount: number | null;
  @Warnings() warnings?: string[];
}
