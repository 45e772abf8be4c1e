import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivityModule } from '../../groups/activity/activity.module.js';
import { AnalyticsModule } from '../../groups/analytics/analytics.module.js';
import { BotModule } from '../../groups/bot/bot.module.js';
import { CampaignsModule } from '../../groups/campaigns/campaigns.module.js';
import { CategoriesModule } from '../../groups/categories/categories.module.js';
import { CheckoutModule } from '../../groups/checkout/checkout.module.js';
import { CustomersModule } from '../../groups/customers/customers.module.js';
import { NoticesModule } from '../../notices/notices.module.js';
import { OrdersModule } from '../../groups/orders/orders.module.js';
import { PaymentsModule } from '../../groups/payments/payments.module.js';
import { ProductsModule } from '../../groups/products/products.module.js';
import { StorefrontModule } from '../storefront/storefront.module.js';
import { PromocodesModule } from '../../groups/promocodes/promocodes.module.js';
import { OrdersByHand } from './orders/orders-by-hand.service.js';
import { Exports } from './shop/exports.service.js';
import { LiveStreams } from './live/live-streams.js';
import { Confirmation } from './confirmation.service.js';
import { Cookies } from './cookies.js';
import { PAGES } from './dashboard-pages.js';
import { FrontDoorController } from './redirects.controller.js';
import { Uploads } from './shop/uploads.service.js';
import { SavedView } from './views/saved-view.entity.js';
import { SavedViews } from './views/saved-views.service.js';
import { OperationsController } from './operations.controller.js';

/** The API of the dashboard, for signed-in owners and staff (docs/behaviour.md §10). */
@Module({
  imports: [
    ActivityModule,
    AnalyticsModule,
    BotModule,
    CampaignsModule,
    CategoriesModule,
    CheckoutModule,
    CustomersModule,
    NoticesModule,
    OrdersModule,
    PaymentsModule,
    ProductsModule,
    PromocodesModule,
    StorefrontModule,
    TypeOrmModule.forFeature([SavedView]),
  ],
  controllers: [...PAGES, OperationsController, FrontDoorController],
  providers: [Confirmation, Cookies, Exports, LiveStreams, OrdersByHand, SavedViews, Uploads],
})
export class DashboardModule {}
