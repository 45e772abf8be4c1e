import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingController } from './billing.controller.js';
import { BillingService } from './billing.service.js';
import { Invoice } from './invoice.entity.js';
import { Invoices } from './invoices.service.js';
import { Subscriptions } from './subscriptions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Invoice])],
  controllers: [BillingController],
  providers: [BillingService, Invoices, Subscriptions],
  exports: [Invoices, Subscriptions],
})
export class BillingModule {}
