import type { ModuleRef } from '@nestjs/core';
import { ClientTokens } from '../platform/auth/client-tokens.js';
import { TokenRegistry } from '../platform/auth/token-registry.js';
import { Retention } from '../platform/database/retention.service.js';
import { NewOrders } from '../notices/new-orders.service.js';
import { ShopperMessages } from '../notices/shoppers/shopper-messages.service.js';
import { Pictures } from '../stores/pictures/pictures.service.js';
import { SalesFolding } from '../stores/sales-folding.service.js';
import { EventUpkeep } from '../webhooks/events/event-upkeep.service.js';
import { DueInvoices } from './due-invoices.service.js';
import { EndedSales } from './ended-sales.service.js';
import { UnpaidOrders } from './unpaid-orders.service.js';
import { DAY_MS } from '../platform/clock.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** The outcome of a job that runs often is written at most this often, unless it fails. */
export const WRITTEN_MS = MINUTE_MS;

/** Something that the installation does by itself. */
export interface Job {
  name: string;
  /** From the end of a run to the start of the next one. */
  periodMs: number;
  /**
   * When the first run starts. Soon, so that a process that is restarted often has its turn too; 0 is before
   * the process takes calls.
   */
  firstMs: number;
  /** @param stop is aborted when the process stops: the job ends as soon as it can */
  run(services: Pick<ModuleRef, 'get'>, stop: AbortSignal): Promise<void>;
}

const ANYWHERE = { strict: false };

/**
 * All of them. Every process runs each; those that only one may run at a time take a lock of the database.
 * Deliveries wait in their queue instead, and what belongs to a connection or a stream (heartbeats, checks of
 * hosts, Redis) has its own timer.
 */
export const JOBS: readonly Job[] = [
  {
    name: 'retention',
    periodMs: HOUR_MS,
    firstMs: MINUTE_MS,
    run: (services, stop) => services.get(Retention, ANYWHERE).purge(stop),
  },
  {
    name: 'event_upkeep',
    periodMs: HOUR_MS,
    firstMs: 0,
    run: (services, stop) => services.get(EventUpkeep, ANYWHERE).tend(stop),
  },
  {
    name: 'sales_folding',
    periodMs: 10 * MINUTE_MS,
    firstMs: MINUTE_MS,
    run: (services, stop) => services.get(SalesFolding, ANYWHERE).fold(stop),
  },
  {
    name: 'unused_pictures',
    periodMs: DAY_MS,
    firstMs: MINUTE_MS,
    run: (services, stop) => services.get(Pictures, ANYWHERE).deleteUnused(stop),
  },
  {
    name: 'unpaid_orders',
    periodMs: MINUTE_MS,
    firstMs: MINUTE_MS,
    run: (services, stop) => services.get(UnpaidOrders, ANYWHERE).end(stop),
  },
  {
    name: 'ended_sales',
    periodMs: 30 * SECOND_MS,
    firstMs: 30 * SECOND_MS,
    run: (services, stop) => services.get(EndedSales, ANYWHERE).end(stop),
  },
  {
    name: 'new_order_notices',
    periodMs: 2 * SECOND_MS,
    firstMs: 2 * SECOND_MS,
    run: (services, stop) => services.get(NewOrders, ANYWHERE).tell(stop),
  },
  {
    name: 'shopper_messages',
    periodMs: 2 * SECOND_MS,
    firstMs: 2 * SECOND_MS,
    run: (services) => services.get(ShopperMessages, ANYWHERE).send(),
  },
  {
    name: 'due_invoices',
    periodMs: HOUR_MS,
    firstMs: MINUTE_MS,
    run: (services, stop) => services.get(DueInvoices, ANYWHERE).issue(stop),
  },
  {
    name: 'token_use',
    periodMs: 15 * SECOND_MS,
    firstMs: 15 * SECOND_MS,
    run: (services) => services.get(TokenRegistry, ANYWHERE).flushLastUsed(),
  },
  {
    name: 'app_token_use',
    periodMs: 15 * SECOND_MS,
    firstMs: 15 * SECOND_MS,
    run: (services) => services.get(ClientTokens, ANYWHERE).flushLastUsed(),
  },
];
