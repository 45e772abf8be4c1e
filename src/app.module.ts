import { type DynamicModule, Module } from '@nestjs/common';
import { BotUpdatesModule } from './doors/bot-updates/bot-updates.module.js';
import { DashboardModule } from './doors/dashboard/dashboard.module.js';
import { AnalyticsModule } from './groups/analytics/analytics.module.js';
import { OverviewModule } from './groups/overview/overview.module.js';
import { BillingModule } from './groups/billing/billing.module.js';
import { BotModule } from './groups/bot/bot.module.js';
import { BrandsModule } from './groups/brands/brands.module.js';
import { CampaignsModule } from './groups/campaigns/campaigns.module.js';
import { CategoriesModule } from './groups/categories/categories.module.js';
import { ContestsModule } from './groups/contests/contests.module.js';
import { CustomersModule } from './groups/customers/customers.module.js';
import { MonetizationModule } from './groups/monetization/monetization.module.js';
import { OrdersModule } from './groups/orders/orders.module.js';
import { CheckoutModule } from './groups/checkout/checkout.module.js';
import { EventsModule } from './groups/events/events.module.js';
import { InvoiceFieldsModule } from './groups/invoice-fields/invoice-fields.module.js';
import { PaymentProvidersModule } from './groups/payment-providers/payment-providers.module.js';
import { ProductsModule } from './groups/products/products.module.js';
import { PromocodesModule } from './groups/promocodes/promocodes.module.js';
import { SettingsModule } from './groups/settings/settings.module.js';
import { DueInvoices } from './jobs/due-invoices.service.js';
import { Scheduler } from './jobs/scheduler.service.js';
import { UnpaidOrders } from './jobs/unpaid-orders.service.js';
import { McpModule } from './doors/mcp/mcp.module.js';
import { MessengerModule } from './messenger/messenger.module.js';
import { OauthModule } from './doors/oauth/oauth.module.js';
import { OpenApiModule } from './doors/openapi/openapi.module.js';
import { PagesModule } from './doors/pages/pages.module.js';
import { PeopleModule } from './people/people.module.js';
import { UnknownOperationModule } from './platform/call/unknown-operation.module.js';
import type { PlatformOptions } from './platform/foundations.js';
import { PlatformModule } from './platform/platform.module.js';
import { StorefrontModule } from './doors/storefront/storefront.module.js';
import { StoresModule } from './stores/stores.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The modules of the operation groups. */
const GROUPS = [
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

@Module({})
export class AppModule {
  static with(options: PlatformOptions): DynamicModule {
    return {
      module: AppModule,
      providers: [DueInvoices, Scheduler, UnpaidOrders],
      imports: [
        PlatformModule.with(options),
        PeopleModule,
        StoresModule,
        MessengerModule.forRoot({ apiRoot: options.config.messengerApiRoot }),
        WebhooksModule.with(options.config),
        ...GROUPS,
        OpenApiModule,
        McpModule,
        DashboardModule,
        OauthModule.with(options.config),
        StorefrontModule,
        BotUpdatesModule,
        // This module comes after the others, because it answers every address below /dashboard that they do
        // not.
        PagesModule,
        // This module comes last, because it answers every address below /v1 that is not an operation.
        UnknownOperationModule,
      ],
    };
  }
}
