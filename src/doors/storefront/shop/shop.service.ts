import { Injectable } from '@nestjs/common';
import {
  type CheckoutFieldRecord,
  type CheckoutRecord,
  holdsProviderSettings,
} from '../../../groups/checkout/checkout.dto.js';
import { CheckoutConfiguration } from '../../../groups/checkout/checkout-configuration.service.js';
import { InvoiceFields } from '../../../groups/invoice-fields/invoice-fields.service.js';
import { MonetizationService } from '../../../groups/monetization/monetization.service.js';
import { PaymentProviders } from '../../../groups/payment-providers/payment-providers.service.js';
import { categoriesWithin } from '../../../groups/products/reading/named-products.js';
import { requireBrand } from '../../../groups/products/reading/product-search.service.js';
import { Settings } from '../../../groups/settings/settings.service.js';
import type { RowOf } from '../../../platform/database/statement.js';
import { invalidInput, notFound } from '../../../platform/errors.js';
import { currencyExponent } from '../../../platform/money.js';
import { isUuid } from '../../../platform/schema/formats.js';
import {
  DEFAULT_TAKE,
  idBelow,
  NEWEST_FIRST,
  type Page,
  pageOf,
} from '../../../platform/schema/pages/page.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { askedOf } from '../../../search/find.js';
import { LIST_ACTIVE_BRANDS, LIST_ACTIVE_CATEGORIES } from '../storefront.statements.js';
import { paymentMethods } from './payment-methods.js';
import type { ListedProductsInput, ShopRecord } from './shop.dto.js';
import * as SQL from './shop.statements.js';

type Listed = RowOf<typeof SQL.LIST_SHOWN>;

/** What the pages of a shop read, one part at a time (docs/behaviour.md §11). */
@Injectable()
export class Shop {
  constructor(
    private readonly settings: Settings,
    private readonly checkout: CheckoutConfiguration,
    private readonly invoiceFields: InvoiceFields,
    private readonly monetization: MonetizationService,
    private readonly providers: PaymentProviders,
  ) {}

  async get(ctx: StoreContext, botUsername: string): Promise<ShopRecord> {
    const [{ cashback, referral, ...common }, providers] = await Promise.all([
      this.common(ctx),
      this.providers.list(ctx),
    ]);
    const { enabled, description, levels } = cashback;
    return {
      ...common,
      digits: currencyExponent(ctx.currency),
      botUsername,
      cashback: enabled ? { description: description ?? '', levels } : null,
      referralJoinBonus: referral.referralJoinBonus,
      paymentMethods: paymentMethods(providers.items, common.checkout.mode, ctx.currency),
    };
  }

  /** Reads what every page of a shop needs: its name, its form, and the ways to find products. */
  async common(ctx: StoreContext) {
    const [brands, categories, settings, checkout, invoiceFields, rules] = await Promise.all([
      ctx.session.read(LIST_ACTIVE_BRANDS),
      ctx.session.read(LIST_ACTIVE_CATEGORIES),
      this.settings.get(ctx),
      this.checkout.current(ctx),
      this.invoiceFields.get(ctx),
      this.monetization.get(ctx),
    ]);
    const { bonus, cashback, referral } = rules;
    const shown = { ...checkout, fields: formFields(checkout) };
    return {
      ...{ currency: ctx.currency, settings, checkout: shown, invoiceFields, brands, categories },
      ...{ bonus, cashback, referral },
    };
  }

  /** @throws OperationError invalid_input naming categoryId or brandId if it is none of the store */
  async products(ctx: StoreContext, input: ListedProductsInput): Promise<Page<Listed>> {
    const { take = DEFAULT_TAKE, cursor, brandId = null, subCategory = null, onSale = false } = input;
    const [categoryIds] = await Promise.all([
      input.categoryId === undefined ? null : categoriesWithin(ctx, input.categoryId, 'categoryId'),
      requireBrand(ctx, brandId),
    ]);
    const ids = input.ids ? input.ids.map(uuidOf) : null;
    const named = { brandId, subCategory, onSale, categoryIds, ids, text: input.text };
    const rows = await narrowed(ctx, {
      ...{ take: take + 1, afterId: idBelow(cursor), now: ctx.now() },
      ...named,
    });
    return pageOf(rows, take, NEWEST_FIRST);
  }

  /** @throws OperationError not_found for a product that is not on sale */
  async product(ctx: StoreContext, id: string): Promise<RowOf<typeof SQL.GET_SHOWN>> {
    const [found] = isUuid(id) ? await ctx.session.read(SQL.GET_SHOWN, { id, now: ctx.now() }) : [];
    if (!found) throw notFound('Product', id).about('not_on_sale', { path: 'id' });
    return found;
  }
}

/** The fields without the provider settings of a payment_button, which only the store may see. */
const formFields = ({ fields }: CheckoutRecord): CheckoutFieldRecord[] =>
  fields.map((field) =>
    holdsProviderSettings(field)
      ? { ...field, content: undefined, options: undefined, placeholder: undefined }
      : field,
  );

interface Filter {
  take: number;
  afterId: string;
  brandId: string | null;
  subCategory: string | null;
  onSale: boolean;
  categoryIds: string[] | null;
  ids: string[] | null;
  text: string | undefined;
  now: Date;
}

/** Reads along the index of the condition that usually narrows the list most, if there is no text. */
async function narrowed(ctx: StoreContext, filter: Filter): Promise<Listed[]> {
  const { session } = ctx;
  const { ids, onSale, subCategory, categoryIds, brandId, text } = filter;
  if (ids !== null) return session.read(SQL.LIST_SHOWN_NAMED, filter);
  if (text !== undefined)
    return session.read(SQL.FIND_SHOWN, { ...filter, ...askedOf(ctx.storeId, 'product', text) });
  if (onSale) return session.read(SQL.LIST_SHOWN_ON_SALE, filter);
  if (subCategory !== null) return session.read(SQL.LIST_SHOWN_OF_SUB_CATEGORY, filter);
  if (categoryIds !== null) return session.read(SQL.LIST_SHOWN_OF_CATEGORIES, filter);
  if (brandId !== null) return session.read(SQL.LIST_SHOWN_OF_BRAND, filter);
  return session.read(SQL.LIST_SHOWN, filter);
}

function uuidOf(id: string, i: number): string {
  if (isUuid(id)) return id;
  throw invalidInput(`ids[${i}] must be the internal id of a product`);
}
