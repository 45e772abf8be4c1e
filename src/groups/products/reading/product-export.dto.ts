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
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';

/** The input of find_products without its paging. */
@Example({ maxStock: 5 })
export class ExportProductsInput {
  @SearchText({ description: 'As in find_products.' }) text?: string;
  @Identifier({ optional: true }) brandId?: string;
  @Identifier({ optional: true, description: 'With the categories below it.' }) categoryId?: string;
  @Flag({ optional: true }) hasImage?: boolean;
  @Flag({ optional: true, description: 'Whether shoppers see it.' }) onSale?: boolean;
  @Integer({ min: 0, optional: true }) maxStock?: number;
  @Flag({ optional: true }) isHidden?: boolean;
  @DateTime({ optional: true }) updatedFrom?: string;
  @OneOf(SORTS, { optional: true, description: 'Default newest.' }) sort?: Sort;
  @Flag({ optional: true, description: 'Semicolons between cells and decimal commas. Default false.' })
  decimalComma?: boolean;
}

/**
 * A row of the table. Its fields are the columns. The row of a product is followed by the rows of its
 * variants.
 */
@Example({ productId: 'tee-logo', title: 'Logo T-shirt', price: 24.5, currency: 'USD', isHidden: false })
export class ExportedProduct {
  @Identifier({ description: 'The id of the product, also in the rows of its variants.' }) id: string;
  @Text({ description: "The shop's own id." }) productId: string;
  @Identifier({ nullable: true }) variantId: string | null;
  @Text() title: string;
  @Text({ nullable: true, description: 'Option and value.' }) variant: string | null;
  @Text({ nullable: true }) option: string | null;
  @Text({ nullable: true }) value: string | null;
  @Text({ nullable: true }) sku: string | null;
  @Text({ nullable: true }) barcode: string | null;
  @Decimal({ description: 'Major units.' }) price: string;
  @Decimal({ nullable: true, description: 'Major units.' }) salePrice: string | null;
  @DateTime({ nullable: true, description: 'When the sale ends.' }) saleUntil: Date | null;
  @Text() currency: string;
  @Integer({ nullable: true, description: 'Empty where stock is not tracked.' }) itemAmount: number | null;
  @Flag() isHidden: boolean;
  @Text({ nullable: true }) brand: string | null;
  @Text({ nullable: true }) category: string | null;
  @Text({ nullable: true }) tags: string | null;
  @Text({ nullable: true }) description: string | null;
  @Text({ nullable: true, description: 'The first picture.' }) image: string | null;
  @Text({ nullable: true, description: 'The addresses of all pictures, with spaces between them.' })
  images: string | null;
  @DateTime() updatedAt: Date;
}
