import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { IdInput } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { Deliveries } from '../../../webhooks/delivery/deliveries.service.js';
import { DeliveryStats } from '../../../webhooks/delivery/figures/delivery-stats.service.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';
import { ListDeliveriesInput, WebhookStats, WebhookStatsInput } from './deliveries.dto.js';
import { DeliveryRecord } from '../../../groups/events/deliveries.dto.js';
import { DeliveryDetailsRecord, RedeliverFailedInput, RedeliveredCount } from './webhook.dto.js';

const PATH = 'stores/:storeId/webhook/deliveries';

/** Recent deliveries of the store's webhook (docs/behaviour.md §7.7). */
@Controller(API_PATH)
export class DeliveriesController {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly stats: DeliveryStats,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    groups: 'events',
    summary: 'List deliveries with their attempts, newest first',
    input: ListDeliveriesInput,
    output: DeliveryRecord,
    list: true,
  })
  list(ctx: StoreContext, input: ListDeliveriesInput) {
    return this.deliveries.list(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/webhook/stats',
    groups: 'events',
    summary: 'Count the deliveries of the last 7 or 30 days, day by day',
    description:
      'A delivery belongs to the UTC day on which its event happened, and counts with the status it has now.',
    input: WebhookStatsInput,
    output: WebhookStats,
  })
  getStats(ctx: StoreContext, { period = '7d' }: WebhookStatsInput) {
    return this.stats.get(ctx, period);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: `${PATH}/:id`,
    groups: 'events',
    summary: 'Get a delivery: its body and the answers of the endpoint',
    input: IdInput,
    output: DeliveryDetailsRecord,
  })
  get(ctx: StoreContext, { id }: IdInput) {
    return this.deliveries.get(ctx, id);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/redeliver-failed`,
    groups: 'events',
    summary: 'Send all deliveries again that have failed since a given time',
    description: 'One call sends the oldest 10,000 of them.',
    input: RedeliverFailedInput,
    output: RedeliveredCount,
    audited: 'webhook.redeliver_failed',
  })
  redeliverFailed(ctx: StoreContext, { since }: RedeliverFailedInput) {
    return this.deliveries.redeliverFailed(ctx, new Date(since));
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/:id/redeliver`,
    groups: 'events',
    summary: 'Send a delivery again, with the same body and id and a new schedule of attempts',
    input: IdInput,
    output: DeliveryDetailsRecord,
    audited: 'webhook.redeliver',
  })
  async redeliver(ctx: StoreContext, { id }: IdInput) {
    await this.deliveries.redeliver(ctx, id);
    return this.deliveries.get(ctx, id);
  }
}
