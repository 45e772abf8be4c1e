import { Module } from '@nestjs/common';
import { BotModule } from '../bot/bot.module.js';
import { CheckoutModule } from '../checkout/checkout.module.js';
import { InvoiceFieldsModule } from '../invoice-fields/invoice-fields.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PaymentProvidersModule } from '../payment-providers/payment-providers.module.js';
import { InvoiceLinks } from './invoice-links.service.js';
import { ReceivedPayments } from './received-payments.service.js';

@Module({
  imports: [BotModule, CheckoutModule, InvoiceFieldsModule, OrdersModule, PaymentProvidersModule],
  providers: [InvoiceLinks, ReceivedPayments],
  exports: [InvoiceLinks, ReceivedPayments],
})
export class PaymentsModule {}
