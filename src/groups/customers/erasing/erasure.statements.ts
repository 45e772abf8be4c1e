import { statement } from '../../../platform/database/statement.js';
import { versionAfter } from '../../../platform/store/version.js';

// Each statement may be run again and then leaves erased rows unchanged.

const ORDERS = `(
  select o.id from orders o where o.store_id = $store and o.messenger_user_id = $customerId::bigint)`;
const EVENTS = `(select e.id from order_events e where e.store_id = $store and e.order_id in ${ORDERS})`;

/** Locks as calls do: first the orders by id, then the customer. */
export const LOCK_ORDERS = statement(
  'erase_lock_orders',
  `select from orders where store_id = $store and messenger_user_id = $customerId order by id for update`,
);
export const LOCK_CUSTOMER = statement(
  'erase_lock_customer',
  `select from customers where store_id = $store and id = $customerId for update`,
);

export const ERASE_ORDERS = statement(
  'erase_orders',
  `update orders o set shipping_address = null, checkout_data = null, tracking_url = null,
     tracking_number = null, external_id = null, metadata = null,
     updated_at = ${versionAfter('o.updated_at', '$now')}
   where store_id = $store and messenger_user_id = $customerId
     and num_nonnulls(shipping_address, checkout_data, tracking_url, tracking_number, external_id,
       metadata) > 0
   returning o.id`,
);

/** Its version rises with its orders too, so that readers of the feed of changes fetch it again. */
export const ERASE_CUSTOMER = statement(
  'erase_customer',
  `update customers c set username = null, first_name = null, last_name = null, external_id = null,
     metadata = null, edited_names = '{}',
     updated_at = ${versionAfter('c.updated_at', '$now')}
   where store_id = $store and id = $customerId
     and ($withOrders::boolean or edited_names <> '{}'
       or num_nonnulls(username, first_name, last_name, external_id, metadata) > 0)`,
);

/**
 * Stored answers may contain orders. Without its answer, a repeated call does nothing and is refused, like
 * one whose answer was too long to store.
 */
export const ERASE_ANSWERS = statement(
  'erase_answers',
  `update idempotency_keys set answer = null where store_id = $store and answer is not null`,
);

/** Previews may be of anything, and are short-lived. */
export const ERASE_PREVIEWS = statement(
  'erase_previews',
  `delete from previewed_changes where store_id = $store`,
);

/** Erase the remaining data about the customer, one statement after the other. */
export const ERASE_OTHERS = [
  statement(
    'erase_order_notes',
    `update order_notes set text = '[erased]'
     where store_id = $store and order_id in ${ORDERS} and text <> '[erased]'`,
  ),
  statement(
    'erase_refund_reasons',
    `update order_refunds set reason = null
     where store_id = $store and order_id in ${ORDERS} and reason is not null`,
  ),
  statement(
    'erase_payers',
    `update payments set order_info = null
     where store_id = $store and (payer_id = $customerId or order_id in ${ORDERS})
       and order_info is not null`,
  ),
  statement(
    'erase_attempts',
    `update webhook_attempts set response = null
     where store_id = $store and delivery_id in ${EVENTS} and response is not null`,
  ),
  statement(
    'erase_pending_deliveries',
    `delete from webhook_deliveries where store_id = $store and status = 'pending' and id in ${EVENTS}`,
  ),
  statement(
    'erase_events',
    `update order_events set body = '' where store_id = $store and order_id in ${ORDERS} and body <> ''`,
  ),
  statement(
    'erase_bonus_reasons',
    `update bonus_entries set reason = null
     where store_id = $store and customer_id = $customerId and reason is not null`,
  ),
  statement(
    'erase_recipients',
    `update campaign_recipients set reason = null, detail = null
     where store_id = $store and customer_id = $customerId and num_nonnulls(reason, detail) > 0`,
  ),
  statement(
    'erase_tracking_documents',
    `delete from search_documents where store_id = $store and tracking_of in ${ORDERS}`,
  ),
  statement('erase_visits', `delete from visits where store_id = $store and customer_id = $customerId`),
  // Found by their audit rows, which are emptied next.
  statement(
    'erase_kept_changes',
    `delete from kept_changes k using audit_log a
     where k.store_id = $store and a.store_id = $store and a.id = k.activity_id
       and (a.target = 'customer:' || $customerId::bigint or a.actor_id = $customerId::bigint::text
         or a.target in (select 'order:' || id from ${ORDERS} o))`,
    { slow: true },
  ),
  statement(
    'erase_audit',
    `update audit_log set input = '{"erased":true}', changes = null,
       actor_name = case when actor_id = $customerId::bigint::text then 'erased' else actor_name end
     where store_id = $store and (target = 'customer:' || $customerId::bigint
         or actor_id = $customerId::bigint::text or target in (select 'order:' || id from ${ORDERS} o))
       and operation <> 'customer.erase' and (input::text <> '{"erased":true}' or changes is not null)`,
    { slow: true },
  ),
];
