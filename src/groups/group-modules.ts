import type { Type } from '@nestjs/common';
import { endpointsOf } from '../platform/call/endpoint.js';
import { isOperation } from '../platform/call/operation.decorator.js';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { OverviewModule } from './overview/overview.module.js';
import { BillingModule } from './billing/billing.module.js';
import { BotModule } from './bot/bot.module.js';
import { BrandsModule } from './brands/brands.module.js';
import { CampaignsModule } from './campaigns/campaigns.module.js';
import { CategoriesModule } from './categories/categories.module.js';
import { ContestsModule } from './contests/contests.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { MonetizationModule } from './monetization/monetization.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import { EventsModule } from './events/events.module.js';
import { InvoiceFieldsModule } from './invoice-fields/invoice-fields.module.js';
import { PaymentProvidersModule } from './payment-providers/payment-providers.module.js';
import { ProductsModule } from './products/products.module.js';
import { PromocodesModule } from './promocodes/promocodes.module.js';
import { SettingsModule } from './settings/settings.module.js';

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
];

/** The names of all operations, for a command, which has no registry. */
export const operationNames = (): string[] =>
  GROUP_MODULES.flatMap((module) => (Reflect.getMetadata('controllers', module) ?? []) as Type[])
    .flatMap(endpointsOf)
    .flatMap((endpoint) => (isOperation(endpoint) ? endpoint.name : []));
