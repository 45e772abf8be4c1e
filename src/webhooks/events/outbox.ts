import type { StoreContext } from '../../platform/store/store-context.js';

export const WEBHOOK_EVENTS = ['order.created', 'order.updated'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The parameters that a statement which changes an order needs for its event. */
export interface OutboxParameters {
  eventId: string;
  eventAt: Date;
  requestId: string;
}

export function outboxParameters(ctx: StoreContext): OutboxParameters {
  return { eventId: ctx.newId(), eventAt: ctx.now(), requestId: ctx.requestId };
}

/**
 * SQL of two CTEs, `event` and `delivery`, for the statement that changes an order. A committed change always
 * has its event, and a change that is rolled back has none (docs/behaviour.md §7.1). The bytes of the body
 * are final here. The delivery and the event share an id. A store without a webhook gets no delivery.
 * Its parameters are `outboxParameters`. The delivery is due at once by the database's clock.
 * @param source a CTE with `id` and `json`: one row if the change is to be sent, otherwise none
 */
export function writeEvent(event: WebhookEvent, source: string): string {
  return `event as (
    insert into order_events (store_id, id, order_id, event, body, created_at, request_id)
    select $store, $eventId::uuid, source.id, '${event}', convert_to(
      '{"id":"' || $eventId::uuid || '","event":"${event}","createdAt":"' ||
      to_char($eventAt::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":' ||
      source.json || '}', 'UTF8'),
      $eventAt::timestamptz, $requestId::text
    from ${source} source
  ), delivery as (
    insert into webhook_deliveries (store_id, id, next_attempt_at, created_at, request_id)
    select $store, $eventId::uuid, shop_now(), $eventAt::timestamptz, $requestId::text
    from ${source} source, webhook_endpoints endpoint where endpoint.store_id = $store returning 1
  )`;
}
