import { columns } from '../../platform/database/columns.js';
import { type Statement, statement } from '../../platform/database/statement.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const attempts = (
  columns: string,
) => `(select coalesce(json_agg(json_build_object('at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'durationMs', a.duration_ms, 'statusCode', a.status_code, 'error', a.error${columns}) order by a.id), '[]')
  from webhook_attempts a where a.store_id = d.store_id and a.delivery_id = d.id) as attempts`;

const COLUMNS = `${columns(['id', 'status', 'nextAttemptAt', 'createdAt'], 'd')}, e.event, e.order_id::float8 as "orderId"`;

/** A delivery and its event, which have the same id. */
const DELIVERIES = `webhook_deliveries d join order_events e on e.store_id = d.store_id and e.id = d.id`;

/**
 * $2 the id to stay below, $3 the number of rows, $4 an event or null, $5 the earliest time of creation. Ids
 * rise with time.
 */
const list = (name: string, which = ''): Statement =>
  statement(
    name,
    `select ${COLUMNS}, ${attempts('')} from ${DELIVERIES}
     where d.store_id = $1 and d.id < $2 and d.created_at >= $5::timestamptz and d.id >= order_event_id_at($5::timestamptz)
       and ($4::text is null or e.event = $4) ${which} order by d.id desc limit $3`,
  );

export const LIST_DELIVERIES = list('list_deliveries');

/**
 * A statement for each, with the status in its text: the indexes of those that are pending and that failed
 * are of these alone.
 */
export const LIST_DELIVERIES_BY_STATUS = Object.fromEntries(
  DELIVERY_STATUSES.map((status) => [
    status,
    list(`list_deliveries_${status}`, `and d.status = '${status}'`),
  ]),
) as Record<DeliveryStatus, Statement>;

/** The deliveries of order $6, which are few; $7 a status or null. */
export const LIST_DELIVERIES_OF_ORDER = list(
  'list_deliveries_of_order',
  'and e.order_id = $6 and ($7::text is null or d.status = $7)',
);

export const FIND_DELIVERY = statement(
  'find_delivery',
  `select ${COLUMNS}, ${attempts(`, 'response', a.response`)}, convert_from(e.body, 'UTF8') as body
   from ${DELIVERIES} where d.store_id = $1 and d.id = $2`,
);

/** The delivery is sent again with the same body and id, and with the whole retry schedule. */
const AGAIN = `status = 'pending', failed_attempts = 0, next_attempt_at = shop_now(), finished_at = null, lease_until = null,
  lease_token = null`;
/** A delivery that is under way is left to finish. */
const CAN_BE_SENT = `exists (select from order_events e where e.store_id = d.store_id and e.id = d.id and octet_length(e.body) > 0)
  and (d.lease_until is null or d.lease_until <= shop_now())`;

/** $2 id. */
export const REDELIVER = statement(
  'redeliver',
  `update webhook_deliveries d set ${AGAIN} where d.store_id = $1 and d.id = $2 and ${CAN_BE_SENT} returning d.id`,
);

/**
 * The oldest $3 failed deliveries created at $2 or later. Ids come from the processes' clocks, which may be
 * behind the database's.
 */
export const REDELIVER_FAILED = statement(
  'redeliver_failed',
  `with chosen as (
     select d.id from webhook_deliveries d where d.store_id = $1 and d.status = 'failed' and d.created_at >= $2
       and d.id >= order_event_id_at($2::timestamptz - interval '1 day')
       and ${CAN_BE_SENT} order by d.id limit $3 for update of d skip locked
   ) update webhook_deliveries d set ${AGAIN} from chosen c where d.store_id = $1 and d.id = c.id returning d.id`,
  { slow: true },
);

/**
 * The figures of one UTC day of a store, read along the keys of deliveries and of attempts, which rise with
 * time.
 * @param only a condition
 */
export const figuresOf = (store: string, day: string, only = 'true') => `
  (select order_event_id_at(${day}::timestamp at time zone 'UTC') as first,
     order_event_id_at((${day} + 1)::timestamp at time zone 'UTC') as next offset 0) t
  cross join lateral (
    select count(*) filter (where d.status = 'delivered')::int as delivered, count(*) filter (where d.status = 'failed')::int as failed,
      count(*) filter (where d.status = 'pending')::int as pending
    from webhook_deliveries d where ${only} and d.store_id = ${store} and d.id >= t.first and d.id < t.next
  ) w
  cross join lateral (
    select count(*)::int as attempts, percentile_disc(0.95) within group (order by a.duration_ms) as p95
    from webhook_attempts a where ${only} and a.store_id = ${store} and a.delivery_id >= t.first and a.delivery_id < t.next
  ) a`;

/**
 * The statistics of each UTC day in $2, in that order: from the packed row, or else counted. Each day is
 * sorted by itself.
 */
export const DELIVERIES_BY_DAY = statement(
  'deliveries_by_day',
  `select o.date::text, coalesce(k.delivered, f.delivered) as delivered, coalesce(k.failed, f.failed) as failed, f.pending,
     coalesce(k.attempts, f.attempts) as attempts, case when k.day is null then f.p95 else k.p95_ms end as "p95Ms"
   from unnest($2::date[]) with ordinality as o (date, nth)
   left join delivery_days k on k.store_id = $1 and k.day = o.date
   cross join lateral (select * from ${figuresOf('$1', 'o.date', 'k.day is null')}) f order by o.nth`,
  { slow: true },
);
