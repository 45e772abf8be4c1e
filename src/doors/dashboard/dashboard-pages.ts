import type { Type } from '@nestjs/common';
import { type Endpoint, endpointsOf } from '../../platform/call/endpoint.js';
import { AnalyticsController } from './shop/analytics.controller.js';
import { ProfileController } from './shop/profile.controller.js';
import { AuthController } from './people/auth.controller.js';
import { BotController } from './shop/bot.controller.js';
import { BulkChangesController } from './shop/bulk-changes.controller.js';
import { CampaignsController } from './shop/campaigns.controller.js';
import { ConnectionsController } from './people/connections.controller.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { InvitationsController } from './people/invitations.controller.js';
import { ExportsController } from './shop/exports.controller.js';
import { LiveController } from './live/live.controller.js';
import { MembersController } from './people/members.controller.js';
import { NoticesController } from './notices/notices.controller.js';
import { NewOrderController } from './orders/new-order.controller.js';
import { OrderListController } from './orders/order-list.controller.js';
import { OrderItemsController } from './shop/order-items.controller.js';
import { PaymentsController } from './shop/payments.controller.js';
import { PasswordResetController } from './people/password-reset.controller.js';
import { ApprovalsController } from './notices/approvals.controller.js';
import { RecordsController } from './shop/records.controller.js';
import { SearchController } from './shop/search.controller.js';
import { SecondFactorController } from './people/second-factor.controller.js';
import { SessionsController } from './people/sessions.controller.js';
import { TokensController } from './people/tokens.controller.js';
import { UploadsController } from './shop/uploads.controller.js';
import { SavedViewsController } from './views/saved-views.controller.js';
import { WebhookController } from './webhooks/webhook.controller.js';

/** The controllers of the dashboard's operations. */
export const PAGES: Type[] = [
  AuthController,
  PasswordResetController,
  SessionsController,
  SecondFactorController,
  InvitationsController,
  TokensController,
  ConnectionsController,
  MembersController,
  WebhookController,
  DeliveriesController,
  ApprovalsController,
  RecordsController,
  LiveController,
  ExportsController,
  UploadsController,
  NewOrderController,
  OrderListController,
  OrderItemsController,
  PaymentsController,
  AnalyticsController,
  BulkChangesController,
  SearchController,
  CampaignsController,
  BotController,
  ProfileController,
  SavedViewsController,
  NoticesController,
];

/** All routes, in the order of their declaration. */
export const declaredRoutes = (): Endpoint[] => PAGES.flatMap(endpointsOf);
