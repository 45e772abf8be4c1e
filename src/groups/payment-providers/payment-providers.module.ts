import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BotModule } from '../bot/bot.module.js';
import { PaymentProvider } from './payment-provider.entity.js';
import { PaymentProvidersController } from './payment-providers.controller.js';
import { ProviderTest } from './provider-test.service.js';
import { PaymentProviders } from './payment-providers.service.js';

@Module({
  imports: [BotModule, TypeOrmModule.forFeature([PaymentProvider])],
  controllers: [PaymentProvidersController],
  providers: [PaymentProviders, ProviderTest],
  exports: [PaymentProviders],
})
export class PaymentProvidersModule {}
