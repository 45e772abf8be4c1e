import { PickOf, UpdateOf } from '../../../platform/schema/derived-fields.js';
import { Example } from '../../../platform/schema/example.js';
import { DateTime, Decimal, Identifier, Integer, Text } from '../../../platform/schema/fields.js';
import { NestedList } from '../../../platform/schema/list-fields.js';
import { PageInput } from '../../../platform/schema/pages/page.dto.js';
import { Warnings } from '../../../platform/schema/warnings.js';

/** This is our choice: the database's unique index accepts no longer key in the widest characters. */
export const MAX_PRODUCT_ID = 500;

/** Names a product in an input. */
export const ProductId = (description = 'The internal id or the external productId of the product.') =>
  Identifier({ limit: MAX_PRODUCT_ID, description, hint: 'id or productId.' });

/** The maximum number of options of a product, and of values of one option. */
export const MAX_OPTIONS = 20;
export const MAX_VALUES = 200;
/** The most variants of all options together. */
export const MAX_VARIANTS = 1_000;
const PRICE = "The price in major units of the store's currency, with at most the currency's decimals.";
const SALE_PRICE =
  "The price during a sale, in major units of the store's currency. Null means that there is no sale.";
const UNCOUNTED = 'null: not counted.';
const ITEM_AMOUNT = 'The number of pieces in stock. Null means that stock is not tracked.';
const SORT_ORDER =
  'Variants with a lower number are shown first. The default is 0; equal ones keep the order of their ' +
  'creation.';

const OptionTitle = () =>
  Text({
    ...{ isKey: true, min: 1 },
    ...{ description: 'The name of the option, for example Size.', hint: 'Such as Size.' },
  });

/** One choice of a variant group in create_product. */
@Example({ variantValue: 'M', price: 24.5, itemAmount: 40 })
export class VariantValueInput {
  @Text({ isKey: true, min: 1 }) variantValue: string;
  @Decimal({ majorUnits: true, min: 0, description: PRICE, hint: 'Major units.' }) price: number;
  @Decimal({
    majorUnits: true,
    min: 0,
    optional: true,
    nullable: true,
    description: SALE_PRICE,
    hint: 'Major units.',
  })
  salePrice?: number | null;
  @Integer({ min: 0, optional: true, nullable: true, description: ITEM_AMOUNT, hint: UNCOUNTED })
  itemAmount?: number | null;
  @Integer({ min: 0, optional: true, description: SORT_ORDER }) sortOrder?: number;
}

@Example({ optionTitle: 'Size' })
export class VariantGroupInput {
  @OptionTitle() optionTitle: string;
  @NestedList(() => VariantValueInput, { min: 1, limit: MAX_VALUES }) values: VariantValueInput[];
}

@Example({ variantValue: 'M', price: 24.5, itemAmount: 40, sortOrder: 0 })
export class VariantValueRecord {
  @Identifier() id: string;
  @Text() variantValue: string;
  @Decimal({ majorUnits: true, description: PRICE }) price: number;
  @Decimal({ majorUnits: true, nullable: true, description: SALE_PRICE }) salePrice: number | null;
  @DateTime({ nullable: true, description: 'When the sale ends, set by update_prices.', hint: '' })
  saleUntil: Date | null;
  @Integer({ nullable: true, description: ITEM_AMOUNT }) itemAmount: number | null;
  @Integer() sortOrder: number;
}

@Example({ optionTitle: 'Size' })
export class VariantGroupRecord {
  @Text() optionTitle: string;
  @NestedList(() => VariantValueRecord) values: VariantValueRecord[];
}

/** A single variant. */
@Example({ productId: 'tee-logo', optionTitle: 'Size' })
export class VariantRecord extends VariantValueRecord {
  @Text({ description: "The product's external id: its productId, not its id." }) productId: string;
  @Text() optionTitle: string;
  @DateTime() updatedAt: Date;
}

/** What create_variant and update_variant answer. */
export class SavedVariant extends VariantRecord {
  @Warnings() warnings?: string[];
}

@Example({ productId: 'tee-logo' })
export class ListVariantsInput extends PageInput {
  @ProductId() productId: string;
}

@Example({ productId: 'tee-logo', optionTitle: 'Size', variantValue: 'L', price: 24.5, itemAmount: 12 })
export class CreateVariantInput extends VariantValueInput {
  @ProductId("The product's internal id or external productId.") productId: string;
  @OptionTitle() optionTitle: string;
}

@Example({ price: 22, itemAmount: 35 })
export class UpdateVariantInput extends UpdateOf(
  PickOf(CreateVariantInput, 'optionTitle', 'variantValue', 'price', 'salePrice', 'itemAmount'),
  { optionTitle: { description: undefined, hint: undefined } },
) {
  @Integer({ min: 0, optional: true, description: SORT_ORDER }) sortOrder?: number;
}
