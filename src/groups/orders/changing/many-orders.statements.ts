import { statement } from '../../../platform/database/statement.js';

/** Of several orders, in the order in which all lock them. */
export const LOCK_ORDERS = statement(
  'lock_orders',
  `select from orders o where o.store_id = $store and o.id = any($orderIds::bigint[])
   order by o.id for update`,
);

/** Ends with the transaction. One rehearsal of many changes at a time keeps its locks. */
export const LOCK_REHEARSALS = statement(
  'lock_rehearsals',
  `select pg_advisory_xact_lock(hashtextextended('rehearsals:' || $store::text, 0))`,
);
