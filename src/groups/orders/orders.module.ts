import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BotModule } from '../bot/bot.module.js';
import { CheckoutModule } from '../checkout/checkout.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { InvoiceFieldsModule } from '../invoice-fields/invoice-fields.module.js';
import { MonetizationModule } from '../monetization/monetization.module.js';
import { PaymentProvidersModule } from '../payment-providers/payment-providers.module.js';
import { PromocodesModule } from '../promocodes/promocodes.module.js';
import { ManyOrders } from './changing/many-orders.service.js';
import { Cart } from './placing/cart.service.js';
import { OrderCancelling } from './changing/order-cancelling.service.js';
import { OrderChanges } from './changing/order-changes.service.js';
import { OrderExport } from './reading/order-export.service.js';
import { OrderItems } from './changing/order-items.service.js';
import { OrderNotes } from './changing/order-notes.service.js';
import { OrderPlacing } from './placing/order-placing.service.js';
import { OrderPricing } from './placing/order-pricing.service.js';
import { OrderReferences } from './changing/order-references.service.js';
import { OrderSearch } from './reading/order-search.service.js';
import { OrderRewards } from './placing/order-rewards.service.js';
import { OrderSales } from './reading/order-sales.service.js';
import { OrderTimeline } from './reading/order-timeline.service.js';
import { OrderNote } from './order/order-note.entity.js';
import { ShippedMessages } from './messages/shipped-messages.service.js';
import { Order } from './order/order.entity.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { WebhookTest } from './webhook-test.service.js';

@Module({
  imports: [
    BotModule,
    CheckoutModule,
    CustomersModule,
    InvoiceFieldsModule,
    MonetizationModule,
    PaymentProvidersModule,
    PromocodesModule,
    TypeOrmModule.forFeature([Order, OrderNote]),
  ],
  controllers: [OrdersController],
  providers: [
    Cart,
    ManyOrders,
    OrderCancelling,
    OrderChanges,
    OrderExport,
    OrderItems,
    OrderNotes,
    OrderPlacing,
    OrderPricing,
    OrderReferences,
    OrderRewards,
    OrderSales,
    OrderSearch,
    OrderTimeline,
    OrdersService,
    ShippedMessages,
    WebhookTest,
  ],
  exports: [
    ManyOrders,
    OrderChanges,
    OrderExport,
    OrderItems,
    OrderNotes,
    OrderPlacing,
    OrderReferences,
    OrderSales,
    OrderSearch,
    OrderTimeline,
    OrdersService,
    WebhookTest,
  ],
})
export class OrdersModule {}
