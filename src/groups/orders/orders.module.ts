import { Module } from '@nestjs/common';
import { BotModule } from '../bot/bot.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { MonetizationModule } from '../monetization/monetization.module.js';
import { Cart } from './cart.service.js';
import { OrderChanges } from './order-changes.service.js';
import { OrderPlacing } from './order-placing.service.js';
import { OrderRewards } from './order-rewards.service.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';

@Module({
  imports: [BotModule, CustomersModule, MonetizationModule],
  controllers: [OrdersController],
  providers: [Cart, OrderChanges, OrderPlacing, OrderRewards, OrdersService],
  exports: [OrderChanges, OrderPlacing, OrdersService],
})
export class OrdersModule {}
