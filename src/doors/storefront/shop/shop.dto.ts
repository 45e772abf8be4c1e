import { InvoiceFieldConfigRecord } from '../../../groups/invoice-fields/invoice-fields.dto.js';
import { Bonus, CashbackLevel } from '../../../groups/monetization/monetization.dto.js';
import { OrderRecord } from '../../../groups/orders/order/order.record.js';
import {
  AdjustmentRecord,
  PricedLineRecord,
  PromocodeShareRecord,
} from '../../../groups/orders/reading/order-sales.dto.js';
import { SettingsRecord } from '../../../groups/settings/settings.dto.js';
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
  Uri,
} from '../../../platform/schema/fields.js';
import { Nested, NestedList, TextList } from '../../../platform/schema/list-fields.js';
import { PageInput } from '../../../platform/schema/pages/page.dto.js';
import { CatalogBrand, CatalogCategory, CatalogCheckout } from '../storefront.dto.js';

class ShopCashback {
  @Text() description: string;
  @NestedList(() => CashbackLevel) levels: CashbackLevel[];
}

export const METHOD_KINDS = ['invoice', 'agreement'] as const;

@Example({ name: 'card', label: 'Card', kind: 'invoice' })
export class PaymentMethodRecord {
  @Text({ description: 'The value of paymentMethod.' }) name: string;
  @Text({ description: 'What shoppers read.' }) label: string;
  @OneOf(METHOD_KINDS, {
    description: 'invoice: paid in the messenger. agreement: the shop agrees with the shopper how.',
  })
  kind: (typeof METHOD_KINDS)[number];
  @Identifier({
    nullable: true,
    description: 'The payment_button of the form that offers it: only while that is shown.',
  })
  fieldId: string | null;
  @Flag() isTest: boolean;
}

/** What the pages of a shop need besides products. */
@Example({ currency: 'USD', digits: 2, botUsername: 'nordwind_bot', referralJoinBonus: 2 })
export class ShopRecord {
  @Text({ description: 'The ISO 4217 code of the currency, or XTR.' }) currency: string;
  @Integer({ min: 0, description: 'The decimals of the currency, by ISO 4217.' }) digits: number;
  @Text() botUsername: string;
  @Nested(() => SettingsRecord) settings: SettingsRecord;
  @Nested(() => CatalogCheckout) checkout: CatalogCheckout;
  @Nested(() => InvoiceFieldConfigRecord) invoiceFields: InvoiceFieldConfigRecord;
  @Nested(() => Bonus) bonus: Bonus;
  @Nested(() => ShopCashback, { nullable: true, description: 'Null unless cashback is given.' })
  cashback: ShopCashback | null;
  @Decimal({ min: 0, description: 'What a new shopper gets who came by a link, in major units.' })
  referralJoinBonus: number;
  @NestedList(() => PaymentMethodRecord, {
    description: 'The ways to pay. In the mode manual an order may name any other.',
  })
  paymentMethods: PaymentMethodRecord[];
  @NestedList(() => CatalogBrand) brands: CatalogBrand[];
  @NestedList(() => CatalogCategory) categories: CatalogCategory[];
}

@Example({ text: 'mug', take: 20 })
export class ListedProductsInput extends PageInput {
  @SearchText({ description: 'Words of title, external id or tags.' })
  text?: string;
  @Identifier({ optional: true, description: 'With the categories below it.' }) categoryId?: string;
  @Identifier({ optional: true }) brandId?: string;
  @Text({ min: 1, optional: true }) subCategory?: string;
  @Flag({ optional: true, description: 'true: only what has a sale price.' }) onSale?: boolean;
  @TextList({ limit: 100, optional: true, description: 'The internal ids of products.' }) ids?: string[];
}

@Example({
  productId: 'tee-logo',
  title: 'Logo T-shirt',
  image: 'https://images.example/tee-logo.jpg',
  price: 24.5,
  salePrice: 19.9,
})
export class ListedProduct {
  @Identifier() id: string;
  @Text({ description: "The product's external id, by which an order names it." }) productId: string;
  @Text() title: string;
  @Uri({ nullable: true, description: 'In a small size, where the service keeps one.' }) image: string | null;
  @Decimal({ description: 'The lowest that it is sold at, in major units.' }) price: number;
  @Decimal({ nullable: true, description: 'Charged instead of price.' }) salePrice: number | null;
  @Flag({ description: 'Whether other variants cost more.' }) isFrom: boolean;
  @Flag() isSoldOut: boolean;
}

@Example({ id: '01980a52-6c1e-7b3a-9d2f-4c8e1a7b9d30' })
export class ShopProductInput {
  @Identifier() id: string;
}

@Example({ amount: 500 })
export class ShopRefund {
  @DateTime() at: string;
  @Integer({ min: 0, minorUnits: true, nullable: true }) amount: number | null;
}

/** What an order's total is made of, in minor units. */
@Example({ bonus: 110, tip: 200, total: 4950 })
export class ShopPricing {
  @NestedList(() => PricedLineRecord) lines: PricedLineRecord[];
  @NestedList(() => AdjustmentRecord) adjustments: AdjustmentRecord[];
  @Nested(() => PromocodeShareRecord, { nullable: true }) promocode: PromocodeShareRecord | null;
  @Integer({ min: 0, minorUnits: true }) bonus: number;
  @Integer({ min: 0, minorUnits: true }) tip: number;
  @Integer({ min: 0, minorUnits: true }) total: number;
  @NestedList(() => ShopRefund) refunds: ShopRefund[];
}

export class ShopOrder extends OrderRecord {
  @Flag({ description: 'Whether the order waits for a payment in the messenger.' }) awaitsPayment: boolean;
  @Nested(() => ShopPricing) pricing: ShopPricing;
}
