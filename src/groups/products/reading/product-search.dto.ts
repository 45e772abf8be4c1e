import { Example } from '../../../platform/schema/example.js';
import {
  DateTime,
  Decimal,
  Flag,
  Identifier,
  Integer,
  OneOf,
  Text,
} from '../../../platform/schema/fields.js';
import { NestedList } from '../../../platform/schema/list-fields.js';
import { FindInput } from '../../../platform/schema/pages/page.dto.js';
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';
import { NOT_ON_SALE, type NotOnSale } from '../products.dto.js';

const PRICE = 'Major units.';
const STOCK = 'Null: not tracked.';

@Example({ text: 'mug', maxStock: 5 })
export class FindProductsInput extends FindInput {
  @Text({
    isKey: true,
    min: 1,
    max: 200,
    optional: true,
    description: 'Words of title, external id, tags, sku or barcode.',
    hint: 'Title, external id, tag, sku, barcode.',
  })
  text?: string;
  @Identifier({ optional: true }) brandId?: string;
  @Identifier({ optional: true, description: 'With the categories below it.' }) categoryId?: string;
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
  @Text() title: string;
  @Decimal({ majorUnits: true, description: PRICE }) price: number;
  @Decimal({ majorUnits: true, nullable: true, description: PRICE }) salePrice: number | null;
  @Integer({ nullable: true, description: STOCK }) itemAmount: number | null;
  @Flag() isHidden: boolean;
  @Flag({ description: 'Whether shoppers see it.' }) onSale: boolean;
  @OneOf(NOT_ON_SALE, { optional: true }) notOnSaleBecause?: NotOnSale;
  @Identifier({ nullable: true }) brandId: string | null;
  @Identifier({ nullable: true }) categoryId: string | null;
  @Text({ nullable: true }) sku: string | null;
  @Text({ nullable: true }) barcode: string | null;
  @NestedList(() => FoundVariant) variants: FoundVariant[];
  @DateTime() updatedAt: Date;
}
