import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { AnalyticsModule } from '../groups/analytics/analytics.module.js';
import { BotModule } from '../groups/bot/bot.module.js';
import { CheckoutModule } from '../groups/checkout/checkout.module.js';
import { CustomersModule } from '../groups/customers/customers.module.js';
import { InvoiceFieldsModule } from '../groups/invoice-fields/invoice-fields.module.js';
import { MonetizationModule } from '../groups/monetization/monetization.module.js';
import { OrdersModule } from '../groups/orders/orders.module.js';
import { PaymentProvidersModule } from '../groups/payment-providers/payment-providers.module.js';
import { PaymentsModule } from '../groups/payments/payments.module.js';
import { SettingsModule } from '../groups/settings/settings.module.js';
import { BotReplies } from './bot-replies.service.js';
import { BotUpdatesController } from './bot-updates.controller.js';
import { BotUpdates } from './bot-updates.service.js';
import { Catalog } from './catalog.service.js';
import { Cors } from './cors.middleware.js';
import { InvoiceLinks } from './invoice-links.service.js';
import { Payments } from './payments.service.js';
import { ShopperOrders } from './shopper-orders.service.js';
import { StorefrontOpenApiController } from './storefront-openapi.controller.js';
import { StorefrontController } from './storefront.controller.js';
import { Welcome } from './welcome.service.js';

/** The sources of orders: the Mini App and the store's bot (docs/behaviour.md §11). */
@Module({
  imports: [
    AnalyticsModule,
    BotModule,
    CheckoutModule,
    CustomersModule,
    InvoiceFieldsModule,
    MonetizationModule,
    OrdersModule,
    PaymentProvidersModule,
    PaymentsModule,
    SettingsModule,
  ],
  controllers: [StorefrontOpenApiController, StorefrontController, BotUpdatesController],
  providers: [BotReplies, BotUpdates, Catalog, InvoiceLinks, Payments, ShopperOrders, Welcome],
})
export class StorefrontModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(Cors).forRoutes('storefront/*path');
  }
}
