import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { Cart } from './cart.service.js';
import { OrderChanges } from './order-changes.service.js';
import { OrderPlacing } from './order-placing.service.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';

@Module({
  imports: [CustomersModule],
  controllers: [OrdersController],
  providers: [Cart, OrderChanges, OrderPlacing, OrdersService],
  exports: [OrderChanges, OrderPlacing, OrdersService],
})
export class OrdersModule {}
