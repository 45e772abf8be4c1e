import { AllOf, PickOf, UpdateOf } from '../../platform/schema/derived-fields.js';
import { Example } from '../../platform/schema/example.js';
import {
  DateTime,
  Decimal,
  Flag,
  Identifier,
  Integer,
  LongText,
  OneOf,
  Text,
} from '../../platform/schema/fields.js';
import { NestedList, TextList } from '../../platform/schema/list-fields.js';
import { Warnings } from '../../platform/schema/warnings.js';
import {
  MAX_OPTIONS,
  MAX_PRODUCT_ID,
  ProductId,
  VariantGroupInput,
  VariantGroupRecord,
} from './variants/variants.dto.js';

export const MAX_IMAGES = 100;
/** Why shoppers do not see a product; the first reason there is. */
export const NOT_ON_SALE = ['hidden', 'category_inactive'] as const;
export type NotOnSale = (typeof NOT_ON_SALE)[number];
const MAX_TAGS = 2_000;
const EXTERNAL_ID = "The shop's own id of the product. It is unique in the store and cannot be changed.";
export const PRICE =
  "The price in major units of the store's currency, with at most the currency's decimals: 10.5 for " +
  'USD 10.50.';
const SALE_PRICE =
  "The price during a sale, in major units of the store's currency. It is charged instead of price.";
const TEXT_ALONE = (kind: string) =>
  `Free text, shown to shoppers unless ${kind}Id is set. It does not put the product into a ${kind}.`;
export const SALE_UNTIL =
  'When the sale ends, set by update_prices; null: it has no end. Any other write of salePrice clears it.';
const UNCOUNTED = 'null: not counted.';
const TAGS = 'Words by which searches find the product beside its title, such as: spring, gift.';
const ITEM_AMOUNT = 'The number of pieces in stock. Null, or no value, means that stock is not tracked.';

/** The product of the examples. */
export const TEE = {
  productId: 'tee-logo',
  title: 'Logo T-shirt',
  description: 'Organic cotton, printed front.',
  images: ['https://images.example/tee-logo.jpg'],
  price: 24.5,
};

@Example({ id: 'mug-classic' })
export class ProductIdInput {
  @ProductId() id: string;
}

@Example({
  ...TEE,
  variants: [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 24.5, itemAmount: 40 }] }],
})
export class CreateProductInput {
  @Text({ isKey: true, min: 1, max: MAX_PRODUCT_ID, description: EXTERNAL_ID, hint: 'Your own id.' })
  productId: string;
  @Text({ min: 1 }) title: string;
  @LongText() description: string;
  @TextList({ min: 1, limit: MAX_IMAGES, uri: true }) images: string[];
  @Decimal({ majorUnits: true, above: 0, description: PRICE, hint: 'Major units.' }) price: number;
  @Decimal({ majorUnits: true, above: 0, optional: true, description: SALE_PRICE, hint: 'Major units.' })
  salePrice?: number;
  @Integer({ min: 0, optional: true, description: ITEM_AMOUNT }) itemAmount?: number;
  @Text({ optional: true, description: TEXT_ALONE('brand'), hint: 'A text.' }) brand?: string;
  @Text({ optional: true, description: TEXT_ALONE('category'), hint: 'A text.' }) category?: string;
  @Text({ optional: true }) subCategory?: string;
  @Text({ limit: MAX_TAGS, optional: true, description: TAGS, hint: 'Searched.' }) tags?: string;
  @Text({ optional: true }) shippingTime?: string;
  @Text({ optional: true }) season?: string;
  @Identifier({
    optional: true,
    nullable: true,
    description: 'The id of a brand of the store, which shoppers then see by its name.',
    hint: '',
    isOwnId: true,
  })
  brandId?: string | null;
  @Identifier({
    optional: true,
    nullable: true,
    description: 'The id of a category of the store, in which shoppers then find the product.',
    hint: '',
    isOwnId: true,
  })
  categoryId?: string | null;
  @NestedList(() => VariantGroupInput, { limit: MAX_OPTIONS, optional: true }) variants?: VariantGroupInput[];
}

class Hiding {
  @Flag({ optional: true, description: 'Whether the product is hidden. A hidden product is not on sale.' })
  isHidden?: boolean;
}

@Example({ price: 26, salePrice: 21.5 })
export class UpdateProductInput extends AllOf(
  UpdateOf(PickOf(CreateProductInput, 'title', 'description', 'images', 'price', 'salePrice', 'itemAmount'), {
    itemAmount: { hint: UNCOUNTED },
  }),
  Hiding,
  UpdateOf(
    PickOf(
      CreateProductInput,
      ...(['brand', 'category', 'subCategory', 'tags', 'shippingTime', 'season'] as const),
      ...(['brandId', 'categoryId'] as const),
    ),
  ),
) {}

/** The fields of a product without its variants. */
@Example({ ...TEE, isHidden: false, onSale: true })
class ProductFields {
  @Identifier() id: string;
  @Text({ description: EXTERNAL_ID }) productId: string;
  @Text() title: string;
  @Text() description: string;
  @TextList() images: string[];
  @Decimal({ majorUnits: true, description: PRICE, hint: 'Major units.' }) price: number;
  @Decimal({ majorUnits: true, nullable: true, description: SALE_PRICE, hint: 'Major units.' }) salePrice:
    number | null;
  @DateTime({ nullable: true, description: SALE_UNTIL, hint: '' }) saleUntil: Date | null;
  @Integer({ nullable: true, description: ITEM_AMOUNT }) itemAmount: number | null;
  @Flag() isHidden: boolean;
  @Flag({ description: 'Whether shoppers see it.' }) onSale: boolean;
  @OneOf(NOT_ON_SALE, { optional: true, description: 'Its category, or one above, is not active.' })
  notOnSaleBecause?: NotOnSale;
  @Text({ nullable: true }) brand: string | null;
  @Text({ nullable: true }) category: string | null;
  @Text({ nullable: true }) subCategory: string | null;
  @Text({ nullable: true, description: TAGS }) tags: string | null;
  @Text({ nullable: true }) shippingTime: string | null;
  @Text({ nullable: true }) season: string | null;
  @Identifier({ nullable: true }) brandId: string | null;
  @Identifier({ nullable: true }) categoryId: string | null;
  @DateTime() createdAt: Date;
  @DateTime() updatedAt: Date;
}

export class ProductRecord extends ProductFields {
  @NestedList(() => VariantGroupRecord) variants: VariantGroupRecord[];
}

/** What create_product and update_product answer. */
export class SavedProduct extends ProductRecord {
  @Warnings() warnings?: string[];
}

/** A product in a list, with only the number of its variants. */
@Example({ variantCount: 1 })
export class ProductListItem extends ProductFields {
  @Integer({ min: 0 }) variantCount: number;
}
