import { Module } from '@nestjs/common';
import { CheckoutController } from './checkout.controller.js';
import { PaymentProvidersModule } from '../payment-providers/payment-providers.module.js';
import { CheckoutConfiguration } from './checkout-configuration.service.js';

@Module({
  imports: [PaymentProvidersModule],
  controllers: [CheckoutController],
  providers: [CheckoutConfiguration],
  exports: [CheckoutConfiguration],
})
export class CheckoutModule {}
