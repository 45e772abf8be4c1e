import { statement } from '../platform/database/statement.js';

/** Locks several orders, in one order for all, before anything that they hold is locked. */
export const LOCK_ORDERS = statement(
  'lock_orders',
  `select from orders o where o.store_id = $store and o.id = any($orderIds::bigint[])
   order by o.id for update`,
);
