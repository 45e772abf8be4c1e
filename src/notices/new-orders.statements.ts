import { systemStatement } from '../platform/database/statement.js';

/**
 * The next events of all stores in which somebody is told. As in the feed, only those are read that no
 * running transaction can still precede. Events that are no new order are read too, so that the next look
 * begins after them. An order of `total` null is not to be told: it is an older one, or gone.
 */
export const LIST_NEWS = systemStatement(
  'list_new_orders',
  `select c.store_id as "storeId", c.epoch as "fromEpoch", c.xid::text as "fromXid!", c.id as "fromId",
    e.epoch, e.xid::text as "xid!", e.id, o.id as "orderId", o.total_price as total, o.currency,
    coalesce(nullif(trim(concat_ws(' ', k.first_name, k.last_name)), ''), '@' || k.username) as name
  from notice_cursors c
  cross join lateral (
    select e.* from order_events e where e.store_id = c.store_id
      and (e.epoch, e.xid, e.id) > (c.epoch, c.xid, c.id)
      and (e.epoch, e.xid) < (order_event_epoch(), pg_snapshot_xmin(pg_current_snapshot()))
    order by e.epoch, e.xid, e.id limit $ofStore
  ) e
  left join orders o on o.store_id = e.store_id and o.id = e.order_id and e.event = 'order.created'
    and e.created_at > $since and coalesce(e.created_at >= c.began_at, true)
  left join customers k on k.store_id = o.store_id and k.id = o.messenger_user_id
  where exists (select from notice_chats t where t.store_id = c.store_id and t.chat_id is not null)
  order by c.store_id, e.epoch, e.xid, e.id limit $take`,
);

/** Returns no row if another process has told these events. */
export const TAKE_NEWS = systemStatement(
  'take_new_orders',
  `update notice_cursors set epoch = $epoch, xid = $xid::text::xid8, id = $id
  where store_id = $storeId
    and (epoch, xid, id) = ($fromEpoch::integer, $fromXid::text::xid8, $fromId::uuid)
  returning store_id`,
);
