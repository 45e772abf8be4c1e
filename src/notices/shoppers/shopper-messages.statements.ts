import { systemStatement } from '../../platform/database/statement.js';

/** The stores in which messages to shoppers wait; none that is suspended, or has moved. */
export const LIST_WAITING_STORES = systemStatement(
  'list_stores_of_waiting_messages',
  `select s.id as "storeId", s.currency from stores s
   where s.suspended_at is null and s.moved_to is null
     and s.id in (select m.store_id from order_messages m where m.outcome = 'due')`,
);
