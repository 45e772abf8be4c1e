import { Example } from '../../../platform/schema/example.js';
import {
  DateTime,
  Decimal,
  Flag,
  Identifier,
  Integer,
  OneOf,
  SearchText,
  Text,
} from '../../../platform/schema/fields.js';
import { fieldsByName } from '../../../platform/schema/field-spec.js';
import { NestedList, OneOfList, TextList } from '../../../platform/schema/list-fields.js';
import { FindInput } from '../../../platform/schema/pages/page.dto.js';
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';
import { NOT_ON_SALE, type NotOnSale, ProductRecord } from '../products.dto.js';

const PRICE = 'Major units.';
const STOCK = 'Null: not tracked.';
const ASKED = 'If fields asks for it.';
/** What can be asked for: a product's fields, and its codes. */
const FIELDS = [...fieldsByName(ProductRecord).keys(), 'sku', 'barcode'];

@Example({ text: 'mug', maxStock: 5 })
export class FindProductsInput extends FindInput {
  @SearchText({
    description: 'Words of title, external id, tags, sku or barcode.',
    hint: 'Title, external id, tag, sku, barcode.',
  })
  text?: string;
  @Identifier({ optional: true }) brandId?: string;
  @Identifier({
    optional: true,
    nullable: true,
    description: 'With the categories below it; null: products without a category.',
    hint: 'null: without one.',
  })
  categoryId?: string | null;
  @Flag({ optional: true, description: 'Whether it has a picture.', hint: '' }) hasImage?: boolean;
  @Flag({ optional: true, description: 'Whether shoppers see it.' }) onSale?: boolean;
  @Integer({
    min: 0,
    optional: true,
    description: 'At most this many pieces of the product or of any variant are left.',
    hint: 'At most so many left, of it or a variant.',
  })
  maxStock?: number;
  @Flag({ optional: true }) isHidden?: boolean;
  @DateTime({ optional: true, description: 'Changed since then, itself or in a variant.' })
  updatedFrom?: string;
  @OneOf(SORTS, {
    optional: true,
    description: 'Default newest, or recently_updated. least_recently_updated skips nothing that changes.',
  })
  sort?: Sort;
  @OneOfList(FIELDS, {
    ...{ min: 1, optional: true, unordered: true },
    description: 'The only fields of the products in the answer, besides id and productId.',
    hint: 'Only these, id, productId.',
  })
  fields?: string[];
}

@Example({ name: 'Size: M', price: 24.5, salePrice: null, itemAmount: 3 })
export class FoundVariant {
  @Identifier() id: string;
  @Text({ description: 'Option and value.' }) name: string;
  @Decimal({ majorUnits: true, description: PRICE }) price: number;
  @Decimal({ majorUnits: true, nullable: true, description: PRICE }) salePrice: number | null;
  @Integer({ nullable: true, description: STOCK }) itemAmount: number | null;
  @Text({ nullable: true }) sku: string | null;
  @Text({ nullable: true }) barcode: string | null;
  @DateTime({ optional: true, description: 'When the sale ends, if it has an end.' }) saleUntil?: string;
}

@Example({
  productId: 'tee-logo',
  title: 'Logo T-shirt',
  price: 24.5,
  salePrice: null,
  itemAmount: null,
  isHidden: false,
  onSale: true,
})
export class FoundProduct {
  @Identifier() id: string;
  @Text({ description: "The shop's own id." }) productId: string;
  @Text({ optional: true }) title?: string;
  @Decimal({ majorUnits: true, optional: true, description: PRICE }) price?: number;
  @Decimal({ majorUnits: true, optional: true, nullable: true, description: PRICE })
  salePrice?: number | null;
  @Integer({ optional: true, nullable: true, description: STOCK }) itemAmount?: number | null;
  @Flag({ optional: true }) isHidden?: boolean;
  @Flag({ optional: true, description: 'Whether shoppers see it.' }) onSale?: boolean;
  @OneOf(NOT_ON_SALE, { optional: true }) notOnSaleBecause?: NotOnSale;
  @Identifier({ optional: true, nullable: true }) brandId?: string | null;
  @Identifier({ optional: true, nullable: true }) categoryId?: string | null;
  @Text({ optional: true, nullable: true }) sku?: string | null;
  @Text({ optional: true, nullable: true }) barcode?: string | null;
  @NestedList(() => FoundVariant, { optional: true }) variants?: FoundVariant[];
  @DateTime({ optional: true }) updatedAt?: Date;
  @Text({ optional: true, description: ASKED }) description?: string;
  @TextList({ optional: true, description: ASKED }) images?: string[];
  @DateTime({ optional: true, nullable: true, description: ASKED }) saleUntil?: Date | null;
  @Text({ optional: true, nullable: true, description: ASKED }) brand?: string | null;
  @Text({ optional: true, nullable: true, description: ASKED }) category?: string | null;
  @Text({ optional: true, nullable: true, description: ASKED }) subCategory?: string | null;
  @Text({ optional: true, nullable: true, description: ASKED }) tags?: string | null;
  @Text({ optional: true, nullable: true, description: ASKED }) shippingTime?: string | null;
  @Text({ optional: true, nullable: true, description: ASKED }) season?: string | null;
  @DateTime({ optional: true, description: ASKED }) createdAt?: Date;
}

/** The fields that are read only where they are asked for, but for the end of the sale. */
export const DETAILS = [
  ...(['description', 'images', 'brand', 'category', 'subCategory', 'tags'] as const),
  ...(['shippingTime', 'season', 'createdAt'] as const),
];
