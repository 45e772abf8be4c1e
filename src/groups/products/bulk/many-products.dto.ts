import { BulkResult, ItemResult } from '../../../platform/schema/bulk-result.js';
import { Example } from '../../../platform/schema/example.js';
import type { InvalidItem } from '../../../platform/schema/field-spec.js';
import { Flag, Identifier, Text } from '../../../platform/schema/fields.js';
import { NestedList } from '../../../platform/schema/list-fields.js';
import { Warnings } from '../../../platform/schema/warnings.js';
import { CreateProductInput, UpdateProductInput } from '../products.dto.js';
import {
  MAX_OPTIONS,
  MAX_VALUES,
  MAX_VARIANTS,
  VariantGroupInput,
  VariantValueInput,
} from '../variants/variants.dto.js';

const MAX_ITEMS = 100;
export const MAX_CODE = 100;

/** An own code of the shop, such as `sku`. */
const Code = () => Text({ min: 1, limit: MAX_CODE, optional: true, nullable: true });

@Example({ sku: 'TEE-M', barcode: '4820000000017' })
export class CodedValue extends VariantValueInput {
  @Code() sku?: string | null;
  @Code() barcode?: string | null;
}

export class CodedGroup extends VariantGroupInput {
  @NestedList(() => CodedValue, { min: 1, limit: MAX_VALUES }) values: CodedValue[];
}

/** What create_product takes, and codes. */
export class CodedProduct extends CreateProductInput {
  @Code() sku?: string | null;
  @Code() barcode?: string | null;
  @NestedList(() => CodedGroup, { limit: MAX_OPTIONS, optional: true }) variants?: CodedGroup[];
}

@Example({ sku: 'TEE-M' })
export class VariantCodes {
  @Identifier() id: string;
  @Code() sku?: string | null;
  @Code() barcode?: string | null;
}

/** What update_product takes, and codes. */
export class CodedChange extends UpdateProductInput {
  @Code() sku?: string | null;
  @Code() barcode?: string | null;
  @NestedList(() => VariantCodes, { min: 1, limit: MAX_VARIANTS, optional: true }) variants?: VariantCodes[];
}

@Example({ upsert: true })
export class CreateProductsInput {
  @NestedList(() => CodedProduct, { min: 1, max: MAX_ITEMS, separate: true })
  items: (CodedProduct | InvalidItem)[];
  @Flag({
    optional: true,
    description:
      'If true, a product that exists gets the fields given. Its variants are matched by option and value, ' +
      'and changed or added; none is removed.',
    hint: '',
  })
  upsert?: boolean;
}

export class UpdateProductsInput {
  @NestedList(() => CodedChange, { min: 1, max: MAX_ITEMS, separate: true })
  items: (CodedChange | InvalidItem)[];
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
