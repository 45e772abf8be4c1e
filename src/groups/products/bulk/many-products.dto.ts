import { BulkResult, ItemResult } from '../../../platform/schema/bulk-result.js';
import { Example } from '../../../platform/schema/example.js';
import type { InvalidItem } from '../../../platform/schema/field-spec.js';
import { Flag, Identifier, Text } from '../../../platform/schema/fields.js';
import { NestedList } from '../../../platform/schema/list-fields.js';
import { Warnings } from '../../../platform/schema/warnings.js';
import { CreateProductInput, UpdateProductInput } from '../products.dto.js';

const MAX_ITEMS = 100;

@Example({ upsert: true })
export class CreateProductsInput {
  @NestedList(() => CreateProductInput, { min: 1, max: MAX_ITEMS, separate: true })
  items: (CreateProductInput | InvalidItem)[];
  @Flag({
    optional: true,
    description:
      'If true, a product that exists gets the fields given. Its variants are matched by option and value, ' +
      'and changed or added; none is removed.',
    hint: 'Update existing ones.',
  })
  upsert?: boolean;
}

export class UpdateProductsInput {
  @NestedList(() => UpdateProductInput, { min: 1, max: MAX_ITEMS, separate: true })
  items: (UpdateProductInput | InvalidItem)[];
}

@Example({ productId: 'tee-logo' })
export class ProductItem extends ItemResult {
  @Identifier({ optional: true }) id?: string;
  @Text({ optional: true, description: 'The external id.' }) productId?: string;
  @Warnings() warnings?: string[];
}

@Example({ created: true })
export class CreatedProductItem extends ProductItem {
  @Flag({ optional: true, description: 'False: it existed, and was updated.' }) created?: boolean;
}

export class CreateProductsResult extends BulkResult {
  @NestedList(() => CreatedProductItem) items: CreatedProductItem[];
}

export class UpdateProductsResult extends BulkResult {
  @NestedList(() => ProductItem) items: ProductItem[];
}
