import type { Type } from '@nestjs/common';
import { type Endpoint, endpointsOf } from '../../platform/call/endpoint.js';
import { AnalyticsController } from './analytics.controller.js';
import { AuthController } from './auth.controller.js';
import { BotController } from './bot.controller.js';
import { BulkChangesController } from './bulk-changes.controller.js';
import { CampaignsController } from './campaigns.controller.js';
import { ConnectionsController } from './connections.controller.js';
import { DeliveriesController } from './deliveries.controller.js';
import { InvitationsController } from './invitations.controller.js';
import { ExportsController } from './exports.controller.js';
import { LiveController } from './live.controller.js';
import { MembersController } from './members.controller.js';
import { OrderItemsController } from './order-items.controller.js';
import { PaymentsController } from './payments.controller.js';
import { PasswordResetController } from './password-reset.controller.js';
import { RecordsController } from './records.controller.js';
import { SearchController } from './search.controller.js';
import { SecondFactorController } from './second-factor.controller.js';
import { SessionsController } from './sessions.controller.js';
import { TokensController } from './tokens.controller.js';
import { UploadsController } from './uploads.controller.js';
import { WebhookController } from './webhook.controller.js';

/** The controllers whose methods are declared with `@Route`. */
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
  RecordsController,
  LiveController,
  ExportsController,
  UploadsController,
  OrderItemsController,
  PaymentsController,
  AnalyticsController,
  BulkChangesController,
  SearchController,
  CampaignsController,
  BotController,
];

/** All routes, in the order of their declaration. */
export const declaredRoutes = (): Endpoint[] => PAGES.flatMap(endpointsOf);
