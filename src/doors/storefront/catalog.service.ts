import { Injectable } from '@nestjs/common';
import {
  type CheckoutFieldRecord,
  type CheckoutRecord,
  holdsProviderSettings,
} from '../../groups/checkout/checkout.dto.js';
import { CheckoutConfiguration } from '../../groups/checkout/checkout-configuration.service.js';
import { InvoiceFields } from '../../groups/invoice-fields/invoice-fields.service.js';
import { MonetizationService } from '../../groups/monetization/monetization.service.js';
import { Settings } from '../../groups/settings/settings.service.js';
import { DEFAULT_TAKE, idBelow, NEWEST_FIRST, pageOf } from '../../platform/schema/pages/page.js';
import { cutToBytes } from '../../platform/schema/pages/page-text.js';
import type { PageInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { LIST_ACTIVE_BRANDS, LIST_ACTIVE_CATEGORIES, LIST_CATALOG } from './storefront.statements.js';

/** The parts of a shop that shoppers may see. */
@Injectable()
export class Catalog {
  constructor(
    private readonly settings: Settings,
    private readonly checkout: CheckoutConfiguration,
    private readonly invoiceFields: InvoiceFields,
    private readonly monetization: MonetizationService,
  ) {}

  async page(ctx: StoreContext, { take = DEFAULT_TAKE, cursor }: PageInput) {
    const [products, brands, categories, settings, checkout, invoiceFields, { bonus }] = await Promise.all([
      ctx.session.read(LIST_CATALOG, { idBelow: idBelow(cursor), take: take + 1 }),
      ctx.session.read(LIST_ACTIVE_BRANDS),
      ctx.session.read(LIST_ACTIVE_CATEGORIES),
      this.settings.get(ctx),
      this.checkout.current(ctx),
      this.invoiceFields.get(ctx),
      this.monetization.get(ctx),
    ]);
    const page = pageOf(products, take, NEWEST_FIRST);
    const { texts, nextCursor } = cutToBytes(page, (product) => JSON.stringify(product));
    const shown = { ...checkout, fields: formFields(checkout) };
    return {
      currency: ctx.currency,
      settings,
      checkout: shown,
      invoiceFields,
      bonus,
      brands,
      categories,
      items: page.items.slice(0, texts.length),
      nextCursor,
    };
  }
}

const SETTINGS = ['content', 'options'] as const;

/**
 * The fields without the provider settings of a payment_button, which only the store may see.
 * @param hidden what else is not shown of one
 */
export function formFields(
  { fields }: CheckoutRecord,
  hidden: readonly (keyof CheckoutFieldRecord)[] = SETTINGS,
): CheckoutFieldRecord[] {
  const without = Object.fromEntries(hidden.map((name) => [name, undefined]));
  return fields.map((field) => (holdsProviderSettings(field) ? { ...field, ...without } : field));
}
