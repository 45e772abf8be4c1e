import { BulkResult, ItemResult } from '../../../platform/schema/bulk-result.js';
import { Example } from '../../../platform/schema/example.js';
import type { DtoClass, InvalidItem } from '../../../platform/schema/field-spec.js';
import { Decimal, Flag, Identifier, LongText, Text } from '../../../platform/schema/fields.js';
import { NestedList, TextList } from '../../../platform/schema/list-fields.js';
import { Warnings } from '../../../platform/schema/warnings.js';
import { CreateProductInput, MAX_IMAGES, PRICE, UpdateProductInput } from '../products.dto.js';
import {
  MAX_OPTIONS,
  MAX_VALUES,
  MAX_VARIANTS,
  VariantGroupInput,
  VariantValueInput,
} from '../variants/variants.dto.js';

const MAX_ITEMS = 100;
export const MAX_CODE = 100;

const OF_NEW = 'Required of a new product.';

/** An own code of the shop, such as `sku`. */
const Code = () => Text({ isKey: true, min: 1, limit: MAX_CODE, optional: true, nullable: true });

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

type OfNew = 'title' | 'description' | 'images' | 'price';

/** What a product that exists has already is required of a new one only, which the service checks. */
export class GivenProduct extends (CodedProduct as DtoClass<Omit<CodedProduct, OfNew>>) {
  @Text({ min: 1, optional: true, description: OF_NEW }) title?: string;
  @LongText({ optional: true, description: OF_NEW }) description?: string;
  @TextList({ min: 1, limit: MAX_IMAGES, uri: true, optional: true, description: OF_NEW }) images?: string[];
  @Decimal({ above: 0, optional: true, description: `${PRICE} ${OF_NEW}`, hint: 'Major units.' })
  price?: number;
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
  @NestedList(() => GivenProduct, { min: 1, max: MAX_ITEMS, separate: true })
  items: (GivenProduct | InvalidItem)[];
  @Flag({
    ...{ optional: true, default: false },
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
