import { type DynamicModule, Module } from '@nestjs/common';
import { BotUpdatesModule } from '../doors/bot-updates/bot-updates.module.js';
import { DashboardModule } from '../doors/dashboard/dashboard.module.js';
import { DueInvoices } from '../jobs/due-invoices.service.js';
import { EndedSales } from '../jobs/ended-sales.service.js';
import { GROUP_MODULES } from './group-modules.js';
import { Scheduler } from '../jobs/scheduler.service.js';
import { UnpaidOrders } from '../jobs/unpaid-orders.service.js';
import { McpModule } from '../doors/mcp/mcp.module.js';
import { MessengerModule } from '../messenger/messenger.module.js';
import { OauthModule } from '../doors/oauth/oauth.module.js';
import { OpenApiModule } from '../doors/openapi/openapi.module.js';
import { PicturesModule } from '../doors/pictures/pictures.module.js';
import { ShopModule } from '../doors/shop/shop.module.js';
import { PagesModule } from '../doors/pages/pages.module.js';
import { PeopleModule } from '../people/people.module.js';
import { UnknownOperationModule } from '../platform/call/unknown-operation.module.js';
import type { PlatformOptions } from '../platform/foundations.js';
import { PlatformModule } from '../platform/platform.module.js';
import { StorefrontModule } from '../doors/storefront/storefront.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';

@Module({})
export class AppModule {
  static with(options: PlatformOptions): DynamicModule {
    return {
      module: AppModule,
      providers: [DueInvoices, EndedSales, Scheduler, UnpaidOrders],
      imports: [
        PlatformModule.with(options),
        PeopleModule,
        StoresModule,
        MessengerModule.with(options.config.messengerApiRoot),
        WebhooksModule.with(options.config),
        // Express tries the routes in this order: agents make all their calls by one of them.
        McpModule,
        ...GROUP_MODULES,
        OpenApiModule,
        DashboardModule,
        OauthModule.with(options.config),
        StorefrontModule,
        BotUpdatesModule,
        PicturesModule,
        ShopModule,
        // This module comes after the others, because it answers every address below /dashboard that they do
        // not.
        PagesModule,
        // This module comes last, because it answers every address below /v1 that is not an operation.
        UnknownOperationModule,
      ],
    };
  }
}
