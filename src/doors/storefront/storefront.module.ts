import {
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Injectable,
  type NestMiddleware,
} from '@nestjs/common';
import { AnalyticsModule } from '../../groups/analytics/analytics.module.js';
import { BotModule } from '../../groups/bot/bot.module.js';
import { CheckoutModule } from '../../groups/checkout/checkout.module.js';
import { CustomersModule } from '../../groups/customers/customers.module.js';
import { InvoiceFieldsModule } from '../../groups/invoice-fields/invoice-fields.module.js';
import { MonetizationModule } from '../../groups/monetization/monetization.module.js';
import { OrdersModule } from '../../groups/orders/orders.module.js';
import { PaymentProvidersModule } from '../../groups/payment-providers/payment-providers.module.js';
import { PaymentsModule } from '../../groups/payments/payments.module.js';
import { SettingsModule } from '../../groups/settings/settings.module.js';
import { Shop } from './shop/shop.service.js';
import { Catalog } from './catalog.service.js';
import { ShopperOrders } from './shopper-orders.service.js';
import { StorefrontController } from './storefront.controller.js';
import type { NextFunction, Request, Response } from 'express';
import { allowAnyOrigin, answerPreflight } from '../../platform/call/cors.js';

/** A Mini App is a web page that the shop hosts itself, at any origin. */
@Injectable()
class Cors implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    if (request.method === 'OPTIONS') return answerPreflight(response, 'GET, POST');
    allowAnyOrigin(response);
    next();
  }
}

/** The storefront API, which the Mini App calls for shoppers (docs/behaviour.md §11). */
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
  controllers: [StorefrontController],
  providers: [Catalog, Shop, ShopperOrders],
  exports: [Shop],
})
export class StorefrontModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(Cors).forRoutes('storefront/*path');
  }
}
