import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentProvider } from './payment-provider.entity.js';
import { PaymentProvidersController } from './payment-providers.controller.js';
import { PaymentProviders } from './payment-providers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([PaymentProvider])],
  controllers: [PaymentProvidersController],
  providers: [PaymentProviders],
  exports: [PaymentProviders],
})
export class PaymentProvidersModule {}
