import {
  CHECKOUT_MODES,
  CheckoutFieldRecord,
  CheckoutFilterRecord,
  type CheckoutMode,
} from '../../groups/checkout/checkout.dto.js';
import { InvoiceFieldConfigRecord } from '../../groups/invoice-fields/invoice-fields.dto.js';
import { Bonus } from '../../groups/monetization/monetization.dto.js';
import { OrderRecord } from '../../groups/orders/order/order.record.js';
import { TEE } from '../../groups/products/products.dto.js';
import { VariantGroupRecord } from '../../groups/products/variants/variants.dto.js';
import { SettingsRecord } from '../../groups/settings/settings.dto.js';
import { Example } from '../../platform/schema/example.js';
import { DateTime, Decimal, Identifier, Integer, OneOf, Text, Uri } from '../../platform/schema/fields.js';
import { Nested, NestedList, TextList } from '../../platform/schema/list-fields.js';

@Example(TEE)
export class CatalogProduct {
  @Identifier() id: string;
  @Text({ description: "The product's external id, by which an order names it." }) productId: string;
  @Text() title: string;
  @Text() description: string;
  @TextList() images: string[];
  @Decimal({ description: "The amount in major units of the store's currency." }) price: number;
  @Decimal({
    nullable: true,
    description:
      "The price during a sale, in major units of the store's currency. It is charged instead of price.",
  })
  salePrice: number | null;
  @DateTime({ nullable: true, description: 'When the sale ends; null if that is not decided.' })
  saleUntil: Date | null;
  @Integer({ nullable: true, description: 'The number of pieces in stock; null if stock is not tracked.' })
  itemAmount: number | null;
  @Text({ nullable: true }) brand: string | null;
  @Text({ nullable: true }) category: string | null;
  @Text({ nullable: true }) subCategory: string | null;
  @Text({ nullable: true }) tags: string | null;
  @Text({ nullable: true }) shippingTime: string | null;
  @Text({ nullable: true }) season: string | null;
  @Identifier({ nullable: true }) brandId: string | null;
  @Identifier({ nullable: true }) categoryId: string | null;
  @NestedList(() => VariantGroupRecord) variants: VariantGroupRecord[];
}

@Example({ name: 'Nordwind', slug: 'nordwind' })
export class CatalogBrand {
  @Identifier() id: string;
  @Text() name: string;
  @Text() slug: string;
  @Text({ nullable: true }) description: string | null;
  @Uri({ nullable: true }) logoUrl: string | null;
  @Uri({ nullable: true }) websiteUrl: string | null;
}

@Example({ name: 'Mugs', slug: 'mugs', sortOrder: 10 })
export class CatalogCategory {
  @Identifier() id: string;
  @Text() name: string;
  @Text() slug: string;
  @Text({ nullable: true }) description: string | null;
  @Uri({ nullable: true }) imageUrl: string | null;
  @Identifier({ nullable: true }) parentId: string | null;
  @Integer() sortOrder: number;
}

/** The checkout form. The provider settings of a payment_button are left out. */
export class CatalogCheckout {
  @OneOf(CHECKOUT_MODES) mode: CheckoutMode;
  @NestedList(() => CheckoutFieldRecord) fields: CheckoutFieldRecord[];
  @NestedList(() => CheckoutFilterRecord) filters: CheckoutFilterRecord[];
}

/** A page of products, and everything else that a shop's pages need. */
@Example({ currency: 'USD' })
export class CatalogRecord {
  @Text({ description: 'The ISO 4217 code of the currency, or XTR.' }) currency: string;
  @Nested(() => SettingsRecord) settings: SettingsRecord;
  @Nested(() => CatalogCheckout) checkout: CatalogCheckout;
  @Nested(() => InvoiceFieldConfigRecord) invoiceFields: InvoiceFieldConfigRecord;
  @Nested(() => Bonus) bonus: Bonus;
  @NestedList(() => CatalogBrand) brands: CatalogBrand[];
  @NestedList(() => CatalogCategory) categories: CatalogCategory[];
  @NestedList(() => CatalogProduct, { description: 'The products on sale, newest first.' })
  items: CatalogProduct[];
  @Text({
    nullable: true,
    description: 'The cursor of the next page of products; null if this is the last page.',
  })
  nextCursor: string | null;
}

/** The order, and the address at which it is paid. */
@Example({ invoiceUrl: 'https://t.me/$example' })
export class PlacedOrderRecord extends OrderRecord {
  @Uri({
    optional: true,
    nullable: true,
    description:
      "The invoice's address, for the Mini App's openInvoice. Absent for an order that is not paid in the " +
      'messenger; null when the messenger did not make the invoice: ask for another.',
  })
  invoiceUrl?: string | null;
}

@Example({ orderId: '1042' })
export class OrderInvoiceInput {
  @Identifier({ description: 'The id of the order, as a string of digits.' }) orderId: string;
}

@Example({ orderId: 1042, invoiceUrl: 'https://t.me/$example' })
export class OrderInvoiceRecord {
  @Integer({ above: 0 }) orderId: number;
  @Uri({ description: 'The address of the invoice, for openInvoice of the Mini App.' }) invoiceUrl: string;
}

export class VisitRecord {
  @DateTime() visitedAt: Date;
}

@Example({
  id: '7012345678',
  username: 'olena_k',
  firstName: 'Olena',
  bonusBalance: 12.5,
  currency: 'USD',
  referralLink: 'https://t.me/nordwind_bot?start=ref_7012345678',
})
export class MeRecord {
  @Identifier({ description: "The shopper's messenger user id: a 64-bit integer as a string of digits." })
  id: string;
  @Text({ nullable: true }) username: string | null;
  @Text({ nullable: true }) firstName: string | null;
  @Text({ nullable: true }) lastName: string | null;
  @Decimal({ min: 0, description: "The amount in major units of the store's currency." })
  bonusBalance: number;
  @Text() currency: string;
  @Uri({
    description: 'A link to the store. A new shopper who comes by it counts as referred by this shopper.',
  })
  referralLink: string;
}
