import { Example } from '../../../platform/schema/example.js';
import { DateTime, Day, Integer, OneOf } from '../../../platform/schema/fields.js';
import { NestedList } from '../../../platform/schema/list-fields.js';
import { PageInput } from '../../../platform/schema/pages/page.dto.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../webhooks/delivery/deliveries.statements.js';
import {
  STATS_PERIODS,
  type StatsPeriod,
} from '../../../webhooks/delivery/figures/delivery-stats.service.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../webhooks/events/outbox.js';

@Example({ status: 'failed', since: '2026-05-01T00:00:00Z' })
export class ListDeliveriesInput extends PageInput {
  @OneOf(DELIVERY_STATUSES, {
    optional: true,
    description: 'List only deliveries that have this status now.',
  })
  status?: DeliveryStatus;
  @OneOf(WEBHOOK_EVENTS, { optional: true, description: 'List only deliveries of this event.' })
  event?: WebhookEvent;
  @Integer({
    above: 0,
    optional: true,
    description: 'List only deliveries about this order. One that does not exist has none.',
  })
  orderId?: number;
  @DateTime({ optional: true, description: 'List only deliveries that were created at this time or later.' })
  since?: string;
}

@Example({ period: '30d' })
export class WebhookStatsInput {
  @OneOf(STATS_PERIODS, {
    optional: true,
    description: 'The last 7 or 30 UTC days, today included. The default is 7d.',
  })
  period?: StatsPeriod;
}

class DeliveryCounts {
  @Integer({ min: 0, description: 'Deliveries that the endpoint has taken.' }) delivered: number;
  @Integer({ min: 0, description: 'Deliveries that were given up after the last attempt.' }) failed: number;
  @Integer({ min: 0, description: 'Deliveries that are still to be sent, or sent again.' }) pending: number;
  @Integer({ min: 0, description: 'Attempts that were made for all of them.' }) attempts: number;
}

@Example({ delivered: 41, failed: 1, pending: 0, attempts: 47, p95Ms: 320 })
class WebhookDay extends DeliveryCounts {
  @Day({ description: 'The calendar day in UTC.' }) date: string;
  @Integer({
    min: 0,
    nullable: true,
    description: 'The time within which 95 % of the attempts ended, in milliseconds; null without attempts.',
  })
  p95Ms: number | null;
}

@Example({ period: '7d', delivered: 287, failed: 3, pending: 1, attempts: 312 })
export class WebhookStats extends DeliveryCounts {
  @OneOf(STATS_PERIODS) period: StatsPeriod;
  @NestedList(() => WebhookDay, { max: 30, description: 'One entry for each day, oldest first.' })
  daily: WebhookDay[];
}
