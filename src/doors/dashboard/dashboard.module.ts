import { Module } from '@nestjs/common';
import { AnalyticsModule } from '../../groups/analytics/analytics.module.js';
import { CategoriesModule } from '../../groups/categories/categories.module.js';
import { OrdersModule } from '../../groups/orders/orders.module.js';
import { PaymentsModule } from '../../groups/payments/payments.module.js';
import { Cookies } from './cookies.js';
import { PAGES } from './dashboard-pages.js';
import { OperationsController } from './operations.controller.js';

/** What owners and staff do signed in (docs/behaviour.md §10). */
@Module({
  imports: [AnalyticsModule, CategoriesModule, OrdersModule, PaymentsModule],
  controllers: [...PAGES, OperationsController],
  providers: [Cookies],
})
export class DashboardModule {}
