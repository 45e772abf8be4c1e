import { as, statement } from '../../../platform/database/statement.js';

/** How many entries of each kind are read, latest first. */
export const MOST = 500;

/**
 * The order as it was placed, from the audit log, because its items and its tip may have changed since. If
 * the log does not go back so far, the order as it is now. A price of 0 is not recorded as a step in the log.
 */
export const PLACED = statement(
  'timeline_placed',
  `select o.created_at as at, o.payment_method as "paymentMethod",
     coalesce(p.changes->'total'->>1, case when p.changes->'pieces' is null then o.total_price::text
     else '0' end) as "total!",
     coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), '@' || c.username, c.id::text)
     as "shopper!",
     coalesce((p.changes->'pieces'->>1)::int,
       (select coalesce(sum(i.quantity), 0)::int from order_items i where i.store_id = $store
       and i.order_id = o.id)) as "pieces!"
   from orders o left join customers c on c.store_id = $store and c.id = o.messenger_user_id
   left join lateral (
     select a.changes from audit_log a where a.store_id = $store and a.target = 'order:' || o.id
       and a.target like 'order:%'
       and a.operation = 'order.place' order by a.id limit 1
   ) p on true
   where o.store_id = $store and o.id = $orderId`,
);

/** Notes and the placing of the order are read from their own tables. */
export const CHANGES = statement(
  'timeline_changes',
  `select a.at, a.id, a.operation, a.actor_name as "by", a.input, a.changes from audit_log a
   where a.store_id = $store and a.target = $target and a.target like 'order:%' and a.outcome = 'ok'
     and a.operation not in ('add_order_note', 'order.place')
     and (a.operation <> 'payment.receive' or a.changes is not null) order by a.id desc limit ${MOST}`,
  { row: as<{ input: Record<string, unknown>; changes: Record<string, [unknown, unknown]> | null }>() },
);

export const NOTES = statement(
  'timeline_notes',
  `select n.created_at as at, n.id, n.author as "by", n.text from order_notes n where n.store_id = $store
    and n.order_id = $orderId
   order by n.id desc limit ${MOST}`,
);

export const PAYMENTS = statement(
  'timeline_payments',
  `select p.received_at as at, p.charge_id as id, p.amount, p.currency, p.outcome from payments p
   where p.store_id = $store and p.order_id = $orderId order by p.received_at desc limit ${MOST}`,
);

export const MESSAGES = statement(
  'timeline_messages',
  `select m.created_at as at, m.id, m.sent_by as "by", m.kind, m.outcome, m.detail
   from order_messages m
    where m.store_id = $store and m.order_id = $orderId and m.outcome <> 'due'
   order by m.id desc limit ${MOST}`,
);

export const DELIVERIES = statement(
  'timeline_deliveries',
  `select coalesce(d.finished_at, d.created_at) as "at!", d.id, e.event, d.status, t.attempts as "attempts!",
    l.error, l.status_code as "statusCode"
   from order_events e join webhook_deliveries d on d.store_id = e.store_id and d.id = e.id
   cross join lateral (
     select count(*)::int as attempts from webhook_attempts a where a.store_id = $store
       and a.delivery_id = d.id
   ) t
   left join lateral (
     select a.error, a.status_code from webhook_attempts a where a.store_id = $store and a.delivery_id = d.id
       order by a.id desc limit 1
   ) l on true
   where e.store_id = $store and e.order_id = $orderId order by d.id desc limit ${MOST}`,
);
