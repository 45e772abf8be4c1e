import { newId } from '../../platform/ids.js';
import type { StoreContext } from '../../platform/store/store-context.js';

export const WEBHOOK_EVENTS = ['order.created', 'order.updated'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What a statement that changes an order passes on to the event it writes. */
export interface OutboxParameters {
  eventId: string;
  createdAt: Date;
}

export function outboxParameters(ctx: StoreContext): OutboxParameters {
  return { eventId: newId(), createdAt: ctx.now() };
}

/**
 * SQL of two CTEs, `event` and `delivery`, that go into the statement which changes an order: no committed change is ever without
 * its event, and none exists for a rolled-back one (docs/behaviour.md §7.1). The body's bytes are final here. The delivery refers to
 * the event by the id they share; a store without a webhook gets none.
 * @param source a CTE with `id` and `json`, one row when the change is to be sent and none otherwise
 * @param id placeholder of the event's id, as uuid  @param at placeholder of its time, as timestamptz; when the delivery is due the database's clock says
 */
export function writeEvent(event: WebhookEvent, source: string, id: string, at: string): string {
  return `event as (
    insert into order_events (store_id, id, order_id, event, body, created_at)
    select $1, ${id}::uuid, source.id, '${event}', convert_to(
      '{"id":"' || ${id}::uuid || '","event":"${event}","createdAt":"' ||
      to_char(${at}::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":' || source.json || '}', 'UTF8'),
      ${at}::timestamptz
    from ${source} source
  ), delivery as (
    insert into webhook_deliveries (store_id, id, next_attempt_at, created_at)
    select $1, ${id}::uuid, shop_now(), ${at}::timestamptz
    from ${source} source, webhook_endpoints endpoint where endpoint.store_id = $1 returning 1
  )`;
}
