import { BulkResult, ItemResult } from '../../../platform/schema/bulk-result.js';
import { Example } from '../../../platform/schema/example.js';
import { DateTime, Decimal, Flag, Identifier, Integer, Text } from '../../../platform/schema/fields.js';
import type { InvalidItem } from '../../../platform/schema/field-spec.js';
import { NestedList } from '../../../platform/schema/list-fields.js';
import { AtLeastOneOf, CrossField, ExactlyOneOf } from '../../../platform/schema/rules.js';
import { Warnings } from '../../../platform/schema/warnings.js';
import { MAX_CODE } from './many-products.dto.js';
import { MAX_PRODUCT_ID } from '../variants/variants.dto.js';

const MAX_ITEMS = 200;
const PRICE = 'Major units.';

/** The ways in which an item names a product or variant. */
const NAMES = ['productId', 'sku', 'barcode'];

const Code = () =>
  Text({
    ...{ isKey: true, min: 1, limit: MAX_CODE, optional: true },
    ...{ description: 'Of the product or variant.', hint: '' },
  });

export class NamedItem {
  @Identifier({
    limit: MAX_PRODUCT_ID,
    optional: true,
    description: "The product's internal id or external productId.",
    hint: 'id or productId.',
  })
  productId?: string;
  @Identifier({
    optional: true,
    description: 'The id of the variant. Required if the product has variants.',
    hint: '',
  })
  variantId?: string;
  @Code() sku?: string;
  @Code() barcode?: string;
}

@ExactlyOneOf(...NAMES)
@ExactlyOneOf('delta', 'absolute')
@Example({ productId: 'mug-classic', delta: 25 })
export class StockChange extends NamedItem {
  @Integer({
    optional: true,
    description: 'Pieces to add; a negative number removes pieces. Stock that is not tracked counts from 0.',
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

@Example({
  items: [
    { productId: 'mug-classic', delta: 25 },
    { productId: 'tee-logo', variantId: '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07', absolute: 40 },
    { sku: 'CAP-BLUE', absolute: 7 },
  ],
})
export class UpdateStocksInput {
  @NestedList(() => StockChange, { min: 1, max: MAX_ITEMS, separate: true })
  items: (StockChange | InvalidItem)[];
}

@Example({ productId: 'mug-classic', price: 12.5 })
@ExactlyOneOf(...NAMES)
@AtLeastOneOf('price', 'salePrice', 'salePercent', 'saleUntil')
@CrossField({
  description: 'salePrice or salePercent, not both.',
  check: ({ salePrice, salePercent }) =>
    salePrice !== undefined && salePercent !== undefined
      ? 'salePrice and salePercent exclude each other'
      : null,
  schema: {
    not: { properties: { salePrice: {}, salePercent: {} }, required: ['salePrice', 'salePercent'] },
  },
})
export class PriceChange extends NamedItem {
  @Decimal({ majorUnits: true, min: 0, optional: true, description: PRICE }) price?: number;
  @Decimal({
    majorUnits: true,
    min: 0,
    optional: true,
    nullable: true,
    description: 'Major units; null ends the sale.',
    hint: 'Major units; null: none.',
  })
  salePrice?: number | null;
  @Integer({
    min: 1,
    max: 99,
    optional: true,
    description: 'So many percent are taken off the price, rounded to the currency.',
    hint: 'Percent off the price.',
  })
  salePercent?: number;
  @DateTime({
    optional: true,
    nullable: true,
    description: 'When the sale ends; null: it has no end. Without it, a new sale price has none.',
    hint: 'When the sale ends.',
  })
  saleUntil?: string | null;
}

@Example({ preview: true })
export class UpdatePricesInput {
  @NestedList(() => PriceChange, { min: 1, max: MAX_ITEMS, separate: true })
  items: (PriceChange | InvalidItem)[];
  @Flag({ optional: true, description: 'If true, nothing is changed and only the new prices are returned.' })
  preview?: boolean;
}

@Example({ productId: 'mug-classic' })
export class BulkItem extends ItemResult {
  @Identifier({ optional: true, description: 'As it was given; the external id for a sku or barcode.' })
  productId?: string;
  @Identifier({ optional: true }) variantId?: string;
}

@Example({ itemAmount: 37, previousItemAmount: 12 })
export class StockItem extends BulkItem {
  @Integer({ min: 0, optional: true }) itemAmount?: number;
  @Integer({ min: 0, optional: true, nullable: true, description: 'Null: was not tracked.' })
  previousItemAmount?: number | null;
}

@Example({
  ...{ price: 12.5, previousPrice: 12, salePrice: null, previousSalePrice: null },
  ...{ saleUntil: null, previousSaleUntil: null },
})
export class PriceItem extends BulkItem {
  @Decimal({ majorUnits: true, optional: true, description: PRICE }) price?: number;
  @Decimal({ majorUnits: true, optional: true, description: PRICE }) previousPrice?: number;
  @Decimal({ majorUnits: true, optional: true, nullable: true, description: PRICE }) salePrice?:
    number | null;
  @Decimal({ majorUnits: true, optional: true, nullable: true, description: PRICE }) previousSalePrice?:
    number | null;
  @DateTime({ optional: true, nullable: true }) saleUntil?: Date | null;
  @DateTime({ optional: true, nullable: true }) previousSaleUntil?: Date | null;
  @Warnings() warnings?: string[];
}

export class UpdateStocksResult extends BulkResult {
  @NestedList(() => StockItem) items: StockItem[];
}

export class UpdatePricesResult extends BulkResult {
  @Flag({ optional: true, description: 'True: nothing was changed.' }) preview?: boolean;
  @NestedList(() => PriceItem) items: PriceItem[];
}
