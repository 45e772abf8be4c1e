import { columns } from '../../platform/database/columns.js';
import { as, statement, systemStatement } from '../../platform/database/statement.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

interface DeliveryAttempt {
  at: string;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
}

const attempts = (columns: string) => `(
  select coalesce(json_agg(json_build_object(
    'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'durationMs', a.duration_ms,
    'statusCode', a.status_code, 'error', a.error${columns}) order by a.id), '[]')
  from webhook_attempts a where a.store_id = d.store_id and a.delivery_id = d.id) as "attempts!"`;

const COLUMNS = `${columns(['id', 'status', 'nextAttemptAt', 'createdAt'], 'd')},
  e.event, e.order_id::float8 as "orderId"`;

/** A delivery and its event, which have the same id. */
const DELIVERIES = `webhook_deliveries d join order_events e on e.store_id = d.store_id and e.id = d.id`;

/** Deliveries that were created at `$since` or later. Ids rise with time. */
const list = (which = '') => `select ${COLUMNS}, ${attempts('')} from ${DELIVERIES}
   where d.store_id = $store and d.id < $idBelow
     and d.created_at >= $since::timestamptz and d.id >= order_event_id_at($since::timestamptz)
     and ($event?::text is null or e.event = $event) ${which} order by d.id desc limit $take`;
const LISTED = { row: as<{ attempts: DeliveryAttempt[] }>() };

export const LIST_DELIVERIES = statement('list_deliveries', list(), LISTED);

/**
 * A statement for each, with the status in its text: the indexes of those that are pending and that failed
 * are of these alone.
 */
export const LIST_DELIVERIES_BY_STATUS = {
  pending: statement('list_deliveries_pending', list(`and d.status = 'pending'`), LISTED),
  delivered: statement('list_deliveries_delivered', list(`and d.status = 'delivered'`), LISTED),
  failed: statement('list_deliveries_failed', list(`and d.status = 'failed'`), LISTED),
};

/** The deliveries of an order are few. */
export const LIST_DELIVERIES_OF_ORDER = statement(
  'list_deliveries_of_order',
  list('and e.order_id = $orderId and ($status?::text is null or d.status = $status)'),
  LISTED,
);

/** The failed deliveries of all stores, or of one, newest first. */
export const LIST_FAILED_EVERYWHERE = systemStatement(
  'list_failed_everywhere',
  `select d.store_id as "storeId", s.name as "storeName", ${COLUMNS}, ${attempts('')},
     d.request_id as "requestId"
   from ${DELIVERIES} join stores s on s.id = d.store_id
   where d.status = 'failed' order by d.id desc limit $take`,
  LISTED,
);

export const FIND_DELIVERY = statement(
  'find_delivery',
  `select ${COLUMNS}, d.request_id as "requestId",
     ${attempts(`, 'response', a.response, 'requestId', a.request_id`)},
     convert_from(e.body, 'UTF8') as "body!"
   from ${DELIVERIES} where d.store_id = $store and d.id = $id`,
  { row: as<{ attempts: (DeliveryAttempt & { response: string | null; requestId: string | null })[] }>() },
);

/**
 * The delivery is sent again with the same body and id, with the whole retry schedule, and under the id of
 * the request that asks for it.
 */
const AGAIN = `request_id = $requestId, status = 'pending', failed_attempts = 0,
  next_attempt_at = shop_now(), finished_at = null, lease_until = null, lease_token = null`;
/** A delivery that is under way is left to finish. */
const CAN_BE_SENT = `exists (
    select from order_events e where e.store_id = d.store_id and e.id = d.id and octet_length(e.body) > 0)
  and (d.lease_until is null or d.lease_until <= shop_now())`;

export const REDELIVER = statement(
  'redeliver',
  `update webhook_deliveries d set ${AGAIN}
   where d.store_id = $store and d.id = $id and ${CAN_BE_SENT} returning d.id`,
);

/**
 * The oldest failed deliveries that were created at `$since` or later. Ids come from the processes' clocks,
 * which may be behind the database's.
 */
export const REDELIVER_FAILED = statement(
  'redeliver_failed',
  `with chosen as (
     select d.id from webhook_deliveries d where d.store_id = $store and d.status = 'failed'
       and d.created_at >= $since and d.id >= order_event_id_at($since::timestamptz - interval '1 day')
       and ${CAN_BE_SENT} order by d.id limit $take for update of d skip locked
   ) update webhook_deliveries d set ${AGAIN} from chosen c
   where d.store_id = $store and d.id = c.id returning d.id`,
  { slow: true },
);

/** The deliveries with these ids: which there are, and which are sent again or are under way now. */
export const RESEND = statement(
  'resend',
  `with chosen as (
    select d.id, octet_length(e.body) > 0 as has_body from ${DELIVERIES}
    where d.store_id = $store and d.id = any($ids::uuid[])
  ), sent as (
    update webhook_deliveries d set ${AGAIN} from chosen c
    where d.store_id = $store and d.id = c.id and ${CAN_BE_SENT}
  ) select c.id, c.has_body as "hasBody!" from chosen c`,
);

/** The newest failed ones that were created at `$since` or later. */
export const RESEND_FAILED = statement(
  'resend_failed',
  `with chosen as (
    select d.id, octet_length(e.body) > 0 as has_body from ${DELIVERIES}
    where d.store_id = $store and d.status = 'failed' and d.created_at >= $since
      and d.id >= order_event_id_at($since::timestamptz - interval '1 day')
    order by d.id desc limit $take
  ), sent as (
    update webhook_deliveries d set ${AGAIN} from chosen c
    where d.store_id = $store and d.id = c.id and d.status = 'failed' and ${CAN_BE_SENT}
  ) select c.id, c.has_body as "hasBody!" from chosen c`,
  { slow: true },
);

/**
 * The statistics of each of these UTC days, in their order, read along the keys of deliveries and of
 * attempts, which rise with time. Each day is sorted by itself.
 */
export const DELIVERIES_BY_DAY = statement(
  'deliveries_by_day',
  `select o.date::text as "date!", w.delivered as "delivered!", w.failed as "failed!",
     w.pending as "pending!", a.attempts as "attempts!", a.p95 as "p95Ms"
   from unnest($dates::date[]) with ordinality as o (date, nth)
   cross join lateral (
     select order_event_id_at(o.date::timestamp at time zone 'UTC') as first,
       order_event_id_at((o.date + 1)::timestamp at time zone 'UTC') as next offset 0) t
   cross join lateral (
     select count(*) filter (where d.status = 'delivered')::int as delivered,
       count(*) filter (where d.status = 'failed')::int as failed,
       count(*) filter (where d.status = 'pending')::int as pending
     from webhook_deliveries d where d.store_id = $store and d.id >= t.first and d.id < t.next
   ) w
   cross join lateral (
     select count(*)::int as attempts, percentile_disc(0.95) within group (order by a.duration_ms) as p95
     from webhook_attempts a
     where a.store_id = $store and a.delivery_id >= t.first and a.delivery_id < t.next
   ) a order by o.nth`,
  { slow: true },
);
