import type { Type } from '@nestjs/common';
import { ActivityModule } from '../groups/activity/activity.module.js';
import { AnalyticsModule } from '../groups/analytics/analytics.module.js';
import { OverviewModule } from '../groups/overview/overview.module.js';
import { BillingModule } from '../groups/billing/billing.module.js';
import { BotModule } from '../groups/bot/bot.module.js';
import { BrandsModule } from '../groups/brands/brands.module.js';
import { CampaignsModule } from '../groups/campaigns/campaigns.module.js';
import { CategoriesModule } from '../groups/categories/categories.module.js';
import { ContestsModule } from '../groups/contests/contests.module.js';
import { CustomersModule } from '../groups/customers/customers.module.js';
import { MonetizationModule } from '../groups/monetization/monetization.module.js';
import { OrdersModule } from '../groups/orders/orders.module.js';
import { CheckoutModule } from '../groups/checkout/checkout.module.js';
import { EventsModule } from '../groups/events/events.module.js';
import { InvoiceFieldsModule } from '../groups/invoice-fields/invoice-fields.module.js';
import { PaymentProvidersModule } from '../groups/payment-providers/payment-providers.module.js';
import { ProductsModule } from '../groups/products/products.module.js';
import { PromocodesModule } from '../groups/promocodes/promocodes.module.js';
import { SettingsModule } from '../groups/settings/settings.module.js';

/** The modules of the operation groups. */
export const GROUP_MODULES: Type[] = [
  // Orders are first, because Express tries the routes in this order and orders are called most often.
  OrdersModule,
  BotModule,
  CampaignsModule,
  BrandsModule,
  CategoriesModule,
  ContestsModule,
  ProductsModule,
  PromocodesModule,
  CustomersModule,
  MonetizationModule,
  CheckoutModule,
  InvoiceFieldsModule,
  PaymentProvidersModule,
  SettingsModule,
  AnalyticsModule,
  OverviewModule,
  BillingModule,
  EventsModule,
  ActivityModule,
];
