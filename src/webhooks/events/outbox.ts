import { v7 as uuidv7 } from 'uuid';
import type { StoreContext } from '../../platform/store/store-context.js';

export type WebhookEvent = 'order.created' | 'order.updated';

/** What a statement that changes an order passes on to its delivery row. */
export interface OutboxParameters {
  deliveryId: string;
  createdAt: Date;
}

export function outboxParameters(ctx: StoreContext): OutboxParameters {
  return { deliveryId: uuidv7(), createdAt: ctx.now() };
}

/**
 * SQL of the delivery row that goes with a change of an order, to be put in the changing statement itself: no committed change is
 * ever without its delivery, and none exists for a rolled-back one (docs/behaviour.md §7.1). The body's bytes are final here; a store
 * without a webhook gets no row.
 * @param source a CTE with `id` and `json`, one row when the event is to be sent and none otherwise
 * @param id placeholder of the delivery id, as uuid  @param at placeholder of its time, as timestamptz; when it is due the database's clock says
 */
export function insertDelivery(event: WebhookEvent, source: string, id: string, at: string): string {
  return `insert into webhook_deliveries (store_id, id, order_id, event, body, next_attempt_at, created_at)
    select $1, ${id}::uuid, source.id, '${event}', convert_to(
      '{"id":"' || ${id}::uuid || '","event":"${event}","createdAt":"' ||
      to_char(${at}::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":' || source.json || '}', 'UTF8'),
      shop_now(), ${at}::timestamptz
    from ${source} source, webhook_endpoints endpoint where endpoint.store_id = $1 returning 1`;
}
