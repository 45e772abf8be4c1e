import { statement, systemStatement } from '../platform/database/statement.js';

/**
 * An order `o` that has been nothing but PENDING, and has waited for its payment for too long. Whoever has
 * money of the shopper, even a payment that did not fit, decides by hand.
 */
const IS_OVERDUE = `o.created_at <= $placedBefore?::timestamptz
    and coalesce(o.pre_checkout_at, '-infinity') <= $checkedBefore::timestamptz
    and not exists (select from payments p where p.store_id = o.store_id and p.order_id = o.id)`;
const HAS_MOVED_ON = `(o.status <> 'PENDING' or cardinality(o.entered) > 1)`;

/**
 * The orders whose wait is over: they were paid, cancelled or taken up by the shop, or are overdue.
 * `$leftOut` are stores whose orders are left to the next run.
 */
export const LIST_SETTLED = systemStatement(
  'list_settled_payments',
  `select s.id as "storeId", a.order_id as "orderId", s.currency
   from awaited_payments a join orders o on o.store_id = a.store_id and o.id = a.order_id
   join stores s on s.id = a.store_id and s.read_only_since is null
   where a.store_id <> all ($leftOut::uuid[]) and (${HAS_MOVED_ON} or ${IS_OVERDUE}) limit $take`,
);

/**
 * Ends the wait for a payment, once. Sent after LOCK_ORDER_ROW. Returns no row if another process was faster,
 * or if the shopper is paying now.
 */
export const END_WAIT = statement(
  'end_wait_for_payment',
  `delete from awaited_payments a using orders o
   where a.store_id = $store and a.order_id = $orderId and o.store_id = $store and o.id = $orderId
     and (${HAS_MOVED_ON} or ${IS_OVERDUE})
   returning not ${HAS_MOVED_ON} as "isUnpaid!"`,
);
