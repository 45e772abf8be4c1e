import { Module } from '@nestjs/common';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutConfiguration } from './checkout-configuration.service.js';

@Module({
  controllers: [CheckoutController],
  providers: [CheckoutConfiguration],
  exports: [CheckoutConfiguration],
})
export class CheckoutModule {}
