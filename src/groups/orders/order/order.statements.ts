import { as, statement } from '../../../platform/database/statement.js';
import { movedTo, versionAfter } from '../../../platform/store/version.js';
import { inOpenCategory } from '../../products/product.statements.js';
import { salePriceOf } from '../../products/sale.statements.js';
import { writeEvent } from '../../../webhooks/events/outbox.js';
import { ORDER_JSON, orderJson } from './order.record.js';
import type { OrderStatus } from '../../order-status.js';
import type { CancellingState, StoredPricing } from './stored-pricing.js';
import { LINE, LINE_COLUMNS } from './order-lines.js';

/** Inserts the lines of the parameter `$lines` for the order of the CTE `o`. */
const INSERT_LINES = `insert into order_items (store_id, order_id, position, ${LINE_COLUMNS})
    select o.store_id, o.id, line.* from o, (
      select ordinality, ${LINE_COLUMNS}
      from json_populate_recordset(null::order_items, $lines) with ordinality
    ) line returning *`;

export const GET_ORDER = statement(
  'get_order',
  `select ${ORDER_JSON} as "json!" from orders o where o.store_id = $store and o.id = $orderId`,
);

/**
 * Lists leave out the JSON of larger orders, so that a page does not read many of them at once. GET_ORDER
 * reads them one by one.
 */
const LARGE_ORDER = 32 * 1024;

/**
 * A page of orders. The shopper's forms are measured as they are stored, so that large ones need not be read
 * to be left out.
 */
const pageOfOrders = (
  condition: string,
) => `select p.id, case when octet_length(p.json) <= ${LARGE_ORDER} then p.json end as json
  from (
    select o.id, case when coalesce(pg_column_size(o.shipping_address), 0)
        + coalesce(pg_column_size(o.checkout_data), 0) <= ${LARGE_ORDER}
      then ${ORDER_JSON} end as json
    from orders o where o.store_id = $store and o.id < $idBelow ${condition} order by o.id desc limit $take
  ) p`;

export const LIST_ORDERS = statement('list_orders', pageOfOrders(''));

/**
 * A separate statement, so that each uses the index that keeps page 1,000 as cheap as page 1.
 */
export const LIST_ORDERS_BY_STATUS = statement(
  'list_orders_by_status',
  pageOfOrders('and o.status = $status'),
);

export const LIST_ORDERS_OF_CUSTOMER = statement(
  'list_orders_of_customer',
  pageOfOrders('and o.messenger_user_id = $customerId'),
);

/**
 * Sent before a statement that reads more of the order than its row. The lines may be changed concurrently
 * (docs/behaviour.md §6.12), and a statement that waits for the row sees the other tables as they were when
 * it began.
 */
export const LOCK_ORDER_ROW = statement(
  'lock_order_row',
  `select from orders o where o.store_id = $store and o.id = $orderId for update`,
);

/**
 * Changes the status and the tracking of an order, and writes its order.updated event. Sent after
 * LOCK_ORDER_ROW. Tracking that is null keeps its value, but the
 * link goes with the carrier or number it belonged to; `$always` changes the order even if the status is
 * the same. `entered` gets the status if the order never had it; in an old order it starts with the order's
 * present status. `cancelling` is the state that cancelling and resuming need; null for every other change.
 * `updated_at` always rises under the row's lock, whatever the clock does, because receivers let the newest
 * win (docs/behaviour.md §4.3).
 */
export const CHANGE_ORDER = statement(
  'change_order',
  `with old as (
    select o.*, o.status as old_status,
      case when (o.status = 'CANCELLED') <> ($status = 'CANCELLED')
        then json_build_object('pricing', o.pricing, 'cancellation', o.cancellation)
      end as cancelling, o.updated_at as old_updated_at,
      case when o.status = any(o.entered) then o.entered else coalesce(o.entered, '{}') || o.status end
        as old_entered,
      json_build_object('trackingUrl', o.tracking_url, 'carrier', o.carrier,
        'trackingNumber', o.tracking_number) as old_tracking
    from orders o where o.store_id = $store and o.id = $orderId
  ), changed as (
    update orders o set status = $status,
      tracking_url = coalesce($trackingUrl?,
        case when not ($carrier? <> o.carrier is true or $trackingNumber? <> o.tracking_number is true)
          then o.tracking_url end),
      carrier = coalesce($carrier?, o.carrier),
      tracking_number = coalesce($trackingNumber?, o.tracking_number),
      entered = case when $status = any(old.old_entered) then old.old_entered
        else old.old_entered || $status::text end,
      updated_at = ${versionAfter('o.updated_at', '$eventAt')}
    from old where o.store_id = $store and o.id = $orderId and ($always::boolean or old.status <> $status)
    returning o.*, old.old_status, old.cancelling, old.old_updated_at, old.old_entered, old.old_tracking
  ), final as materialized (
    select o.id, o.messenger_user_id, o.old_status, o.cancelling, o.old_updated_at, o.old_entered,
      o.old_tracking, o.is_changed, ${ORDER_JSON} as json
    from (
      select *, true as is_changed from changed
      union all select *, false from old where not exists (select from changed)
    ) o
  ), emitted as (select id, json from final where is_changed), ${writeEvent('order.updated', 'emitted')}
  select f.json as "json!", f.messenger_user_id as "messenger_user_id!", f.old_status as "old_status!",
     f.cancelling, f.old_updated_at as "old_updated_at!", f.old_entered as "old_entered!",
     f.old_tracking as "old_tracking!",
     f.is_changed as "is_changed!", exists (select from delivery) as "has_delivery!" from final f`,
  {
    row: as<{
      cancelling: CancellingState | null;
      old_status: OrderStatus;
      old_entered: OrderStatus[];
      old_tracking: Record<'trackingUrl' | 'carrier' | 'trackingNumber', string | null>;
    }>(),
  },
);

/** The order with its notes, as the audit row of its deletion keeps them. Sent after LOCK_ORDER_ROW. */
export const READ_DELETED = statement(
  'read_deleted_order',
  `select o.updated_at, o.status as "status!", o.messenger_user_id,
     coalesce(o.entered, '{}') || o.status as "entered!",
     json_build_object('pricing', o.pricing, 'cancellation', o.cancellation) as "cancelling!",
     ${ORDER_JSON} as "json!", (
     select coalesce(json_agg(n order by n.id), '[]') from (
       select id, text, author, created_at as "createdAt" from order_notes
       where store_id = $store and order_id = $orderId
     ) n) as "notes!"
   from orders o where o.store_id = $store and o.id = $orderId`,
  { row: as<{ cancelling: CancellingState; status: OrderStatus; entered: OrderStatus[] }>() },
);

/**
 * Records a refund of an order that the transaction has locked. A refund without amount returns all that was
 * paid. @returns whether the order had been refunded before
 */
export const INSERT_REFUND = statement(
  'insert_refund',
  `with inserted as (
    insert into order_refunds (store_id, id, order_id, amount, reason, refunded_by, refunded_at)
    values ($store, $id, $orderId, $amount?, $reason?, $by, $at)
  )
  update orders o
  set returned = least(o.returned + coalesce($amount?::bigint, o.paid), ${Number.MAX_SAFE_INTEGER})
  where o.store_id = $store and o.id = $orderId
  returning exists (select from order_refunds r where r.store_id = $store and r.order_id = $orderId)
    as "wasRefunded!"`,
);

/**
 * Removes the bodies of the order's events, which hold the shopper's data. An event without a body leaves the
 * feed, and its delivery cannot be sent again (docs/behaviour.md §7.7). Sent between LOCK_ORDER_ROW and
 * DELETE_ORDER, so that it sees events that a concurrent change has queued.
 */
export const EMPTY_EVENTS = statement(
  'empty_events',
  `update order_events set body = '' where store_id = $store and order_id = $orderId`,
);

/**
 * Deletes an order with its pending deliveries (docs/behaviour.md §6.2). Items and notes are deleted by their
 * foreign keys.
 */
export const DELETE_ORDER = statement(
  'delete_order',
  `with pending as (
    delete from webhook_deliveries d using order_events e
    where d.store_id = $store and d.status = 'pending' and e.store_id = $store and e.order_id = $orderId
      and e.id = d.id
  ) delete from orders where store_id = $store and id = $orderId`,
);

/**
 * Writes a new order with its lines and its order.created event.
 */
export const INSERT_ORDER = statement(
  'insert_order',
  `with o as (
    insert into orders (store_id, id, status, payment_method, total_price, tip_amount, currency,
      messenger_user_id, shipping_address,
      checkout_data, pricing, paid, created_at, updated_at, entered)
    values ($store, next_order_id($store), $status, $paymentMethod, $total, $tipAmount?, $currency,
      $customerId, $shippingAddress?, $checkoutData?, $pricing, $paid,
      $eventAt, $eventAt, array[$status::text]) returning *
  ), lines as (
    ${INSERT_LINES}
  ), written as materialized (select o.id, ${orderJson('lines')} as json from o),
  ${writeEvent('order.created', 'written')}
  select w.id, w.json as "json!", exists (select from delivery) as "has_delivery!" from written w`,
);

/** An order that is to be paid in the messenger. */
export const AWAIT_PAYMENT = statement(
  'await_payment',
  `insert into awaited_payments (store_id, order_id) values ($store, $orderId)`,
);

/**
 * Sent before REPLACE_ITEMS, so that the lines are read by a statement that begins once the row is locked.
 */
export const LOCK_ORDER_ITEMS = statement(
  'lock_order_items',
  `select o.status, o.updated_at, o.total_price as total, coalesce(o.tip_amount, 0) as "tip!", o.pricing,
     o.messenger_user_id as "customerId", o.cashback_terms is not null as "isAwarded!",
     o.pre_checkout_at as "preCheckoutAt",
     o.status = 'PENDING' and coalesce(cardinality(o.entered), 2) = 1 and exists (
       select from awaited_payments a where a.store_id = o.store_id and a.order_id = o.id
     ) as "isAwaited!"
   from orders o where o.store_id = $store and o.id = $orderId for update`,
  { row: as<{ pricing: StoredPricing | null }>() },
);

export const LIST_LINES = statement(
  'list_order_lines',
  `select ${Object.entries(LINE).map(([property, column]) => `i.${column} as "${property}"`)}
   from order_items i where i.store_id = $store and i.order_id = $orderId order by i.position`,
  { row: as<{ categoryKeys: string[] | null }>() },
);

export const DELETE_LINES = statement(
  'delete_order_lines',
  `delete from order_items where store_id = $store and order_id = $orderId`,
);

/**
 * Writes the new lines of an order, whose old ones were deleted, with its total and its order.updated event.
 */
export const REPLACE_ITEMS = statement(
  'replace_order_items',
  `with o as (
    update orders o set total_price = $total, pricing = $pricing?,
      updated_at = ${versionAfter('o.updated_at', '$eventAt')}
    where o.store_id = $store and o.id = $orderId returning o.*
  ), lines as (
    ${INSERT_LINES}
  ), written as materialized (select o.id, ${orderJson('lines')} as json from o),
  ${writeEvent('order.updated', 'written')}
  select w.json as "json!", exists (select from delivery) as "has_delivery!" from written w`,
);

/**
 * Locks products by their external ids, always in the same order, so that two carts cannot wait for each
 * other. `is_off_sale` if the product is hidden, or its category is not active.
 */
const CART_PRODUCTS = `select p.id, p.product_id, p.title, p.price, ${salePriceOf('p')} as sale_price,
     p.item_amount::float8, p.is_hidden or not ${inOpenCategory('p')} as "is_off_sale!",
     json_build_array(k.id, k.slug, k.name, p.category) as "category_keys!",
     exists (select from variants v where v.store_id = p.store_id and v.product_id = p.id) as "has_variants!"
   from products p left join categories k on k.store_id = p.store_id and k.id = p.category_id
   where p.store_id = $store and p.product_key = any($productKeys::text[]) order by p.id`;
const KEYED = { row: as<{ category_keys: (string | null)[] }>() };
export const LOCK_PRODUCTS = statement('lock_products', `${CART_PRODUCTS} for update of p`, KEYED);
export const READ_PRODUCTS = statement('read_cart_products', CART_PRODUCTS, KEYED);

/** Locks only the variants that lines name. A list has one element per line, null if it is not given. */
const CART_VARIANTS = `select v.id, v.product_id, v.option_title, v.variant_value, v.price,
     ${salePriceOf('v')} as sale_price, v.item_amount::float8
   from variants v where v.store_id = $store and v.product_id = any($productIds::uuid[]) and exists (
     select from unnest($productIds::uuid[], $variantIds::text[], $optionKeys::text[],
       $valueKeys::text[]) as w (product_id, id, option_key, value_key)
     where w.product_id = v.product_id and (w.id is null or w.id = v.id::text)
       and (w.option_key is null or w.option_key = v.option_key)
       and (w.value_key is null or w.value_key = v.value_key)
   ) order by v.id`;
export const LOCK_VARIANTS = statement('lock_variants', `${CART_VARIANTS} for update`);
export const READ_VARIANTS = statement('read_cart_variants', CART_VARIANTS);

/**
 * Takes the quantity of each, or returns it if it is negative. Rows that do not track stock are not changed.
 */
const takeStock = (table: string) => `
  update ${table} r set item_amount = least(r.item_amount - t.quantity, ${Number.MAX_SAFE_INTEGER}),
    ${movedTo('r', versionAfter('r.updated_at', '$now'))}
  from unnest($ids::uuid[], $quantities::bigint[]) as t (id, quantity)
  where r.store_id = $store and r.id = t.id and r.item_amount is not null`;

export const TAKE_PRODUCT_STOCK = statement('take_product_stock', takeStock('products'));
/** The products of the variants, which are locked too, get a new version. */
export const TAKE_VARIANT_STOCK = statement(
  'take_variant_stock',
  `with taken as (${takeStock('variants')} returning r.product_id)
   update products p set ${movedTo('p', versionAfter('p.updated_at', '$now'))}
   from (select distinct product_id from taken) t where p.store_id = $store and p.id = t.product_id`,
);

/**
 * Records a message to the shopper about an order. Nothing if the order was deleted.
 */
export const NOTE_MESSAGE = statement(
  'note_order_message',
  `insert into order_messages (store_id, id, order_id, kind, outcome, detail, sent_by, created_at)
   select o.store_id, $id, o.id, $kind, $outcome, $detail?, $sentBy, $createdAt
   from orders o where o.store_id = $store and o.id = $orderId for key share of o`,
);
