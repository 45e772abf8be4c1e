import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { versionAfter } from '../../platform/store/version.js';
import { inOpenCategory } from '../products/product.statements.js';
import { writeEvent } from '../../webhooks/events/outbox.js';
import { ORDER_JSON, orderJson } from './order.record.js';

/**
 * The database's clock, to the millisecond, so that of two changes of an order the later one has the later
 * time, in any process.
 */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/** The columns of an order's lines, in the order of `lineColumns`. */
const LINE_COLUMNS = `product_id, title, quantity, price, size, variant_option_title, variant_value, catalog_product_id,
  catalog_variant_id, category_keys, stock_taken`;
const LINE_VALUES = `l.product_id, l.title, l.quantity, l.price, l.size, l.option_title, l.variant_value, l.catalog_product_id,
  l.catalog_variant_id, l.category_keys::json, l.stock_taken`;
const LINE_TYPES = 'text text integer bigint text text text uuid uuid text bigint'.split(' ');

/** SQL that turns the arrays from parameter `first` on into one row `l` per line. */
const linesOf = (
  first: number,
) => `unnest(${LINE_TYPES.map((type, i) => `$${first + i}::${type}[]`).join(', ')})
      with ordinality as l (product_id, title, quantity, price, size, option_title, variant_value, catalog_product_id,
        catalog_variant_id, category_keys, stock_taken, position)`;

export const GET_ORDER = statement(
  'get_order',
  `select ${ORDER_JSON} as json from orders o where o.store_id = $1 and o.id = $2`,
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
    select o.id, case when coalesce(pg_column_size(o.shipping_address), 0) + coalesce(pg_column_size(o.checkout_data), 0) <= ${LARGE_ORDER}
      then ${ORDER_JSON} end as json
    from orders o where o.store_id = $1 and o.id < $2 ${condition} order by o.id desc limit $3
  ) p`;

/** $2 the id to stay below, $3 the number of rows. */
export const LIST_ORDERS = statement('list_orders', pageOfOrders(''));

/**
 * A separate statement, so that each uses the index that keeps page 1,000 as cheap as page 1. $4 the status.
 */
export const LIST_ORDERS_BY_STATUS = statement('list_orders_by_status', pageOfOrders('and o.status = $4'));

/** $4 the shopper. */
export const LIST_ORDERS_OF_CUSTOMER = statement(
  'list_orders_of_customer',
  pageOfOrders('and o.messenger_user_id = $4'),
);

/**
 * Sent before a statement that reads more of the order than its row. The lines may be changed concurrently
 * (docs/behaviour.md §6.12), and a statement that waits for the row sees the other tables as they were when
 * it began.
 */
export const LOCK_ORDER_ROW = statement(
  'lock_order_row',
  `select from orders o where o.store_id = $1 and o.id = $2 for update`,
);

/**
 * Changes the status and the tracking of an order, and writes its order.updated event. Sent after
 * LOCK_ORDER_ROW. $2 order, $3 status, $4 to $6 tracking (null keeps the value), $7 whether to change it even
 * if the status is the same, $8 event id, $9 now. `entered` gets the status if the order never had it; in an
 * old order it starts with the order's present status. `cancelling` is the state that cancelling and resuming
 * need; null for every other change. `updated_at` always rises under the row's lock, whatever the clock does,
 * because receivers let the newest win (docs/behaviour.md §4.3).
 */
export const CHANGE_ORDER = statement(
  'change_order',
  `with old as (
    select o.*, o.status as old_status,
      case when (o.status = 'CANCELLED') <> ($3 = 'CANCELLED') then json_build_object('pricing', o.pricing, 'cancellation', o.cancellation)
      end as cancelling, o.updated_at as old_updated_at,
      case when o.status = any(o.entered) then o.entered else coalesce(o.entered, '{}') || o.status end as old_entered,
      json_build_object('trackingUrl', o.tracking_url, 'carrier', o.carrier, 'trackingNumber', o.tracking_number) as old_tracking
    from orders o where o.store_id = $1 and o.id = $2
  ), changed as (
    update orders o set status = $3, tracking_url = coalesce($4, o.tracking_url), carrier = coalesce($5, o.carrier),
      tracking_number = coalesce($6, o.tracking_number),
      entered = case when $3 = any(old.old_entered) then old.old_entered else old.old_entered || $3::text end,
      updated_at = ${versionAfter('o.updated_at', NOW)}
    from old where o.store_id = $1 and o.id = $2 and ($7::boolean or old.status <> $3)
    returning o.*, old.old_status, old.cancelling, old.old_updated_at, old.old_entered, old.old_tracking
  ), final as materialized (
    select o.id, o.messenger_user_id, o.old_status, o.cancelling, o.old_updated_at, o.old_entered, o.old_tracking, o.is_changed, ${ORDER_JSON} as json from (
      select *, true as is_changed from changed union all select *, false from old where not exists (select from changed)
    ) o
  ), emitted as (select id, json from final where is_changed), ${writeEvent('order.updated', 'emitted', '$8', '$9')}
  select f.json, f.messenger_user_id, f.old_status, f.cancelling, f.old_updated_at, f.old_entered, f.old_tracking, f.is_changed,
     exists (select from delivery) as has_delivery from final f`,
);

/** The order with its notes, as the audit row of its deletion keeps them. Sent after LOCK_ORDER_ROW. */
export const READ_DELETED = statement(
  'read_deleted_order',
  `select o.updated_at, ${ORDER_JSON} as json, (
     select coalesce(json_agg(n order by n.id), '[]') from (
       select id, text, author, created_at as "createdAt" from order_notes where store_id = $1 and order_id = $2
     ) n) as notes
   from orders o where o.store_id = $1 and o.id = $2`,
);

/**
 * Whether the audit log has a refund of the order with target $2. Rows of earlier versions have only its
 * number, $3, as target.
 */
export const WAS_REFUNDED = statement(
  'was_refunded',
  `select exists (select from audit_log where store_id = $1 and operation = 'refund_order' and target = any(array[$2::text, $3::text])
     and outcome = 'ok') as refunded`,
);

/**
 * Removes the bodies of the order's events, which hold the shopper's data. An event without a body leaves the
 * feed, and its delivery cannot be sent again (docs/behaviour.md §7.7). Sent between LOCK_ORDER_ROW and
 * DELETE_ORDER, so that it sees events that a concurrent change has queued.
 */
export const EMPTY_EVENTS = statement(
  'empty_events',
  `update order_events set body = '' where store_id = $1 and order_id = $2`,
);

/**
 * Deletes an order with its pending deliveries (docs/behaviour.md §6.2). Items and notes are deleted by their
 * foreign keys.
 */
export const DELETE_ORDER = statement(
  'delete_order',
  `with pending as (
    delete from webhook_deliveries d using order_events e
    where d.store_id = $1 and d.status = 'pending' and e.store_id = $1 and e.order_id = $2 and e.id = d.id
  ) delete from orders where store_id = $1 and id = $2`,
);

/**
 * Writes a new order with its lines and its order.created event. $2 to $12 the order, $13 to $23 the lines as
 * arrays, $24 event id, $25 now.
 */
export const INSERT_ORDER = statement(
  'insert_order',
  `with o as (
    insert into orders (store_id, status, payment_method, total_price, tip_amount, currency, messenger_user_id, shipping_address,
      checkout_data, pricing, created_at, updated_at, entered)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, array[$2::text]) returning *
  ), lines as (
    insert into order_items (store_id, order_id, position, ${LINE_COLUMNS})
    select o.store_id, o.id, l.position, ${LINE_VALUES} from o, ${linesOf(13)}
    returning *
  ), written as materialized (select o.id, ${orderJson('lines')} as json from o),
  ${writeEvent('order.created', 'written', '$24', '$25')}
  select w.id, w.json, exists (select from delivery) as has_delivery from written w`,
);

/**
 * Sent before REPLACE_ITEMS, so that the lines are read by a statement that begins once the row is locked.
 */
export const LOCK_ORDER_ITEMS = statement(
  'lock_order_items',
  `select o.status, o.updated_at, o.total_price::text as total, coalesce(o.tip_amount, 0)::text as tip, o.pricing
   from orders o where o.store_id = $1 and o.id = $2 for update`,
);

export const LIST_LINES = statement(
  'list_order_lines',
  `select ${columns(['productId', 'title', 'quantity', 'price', 'size', 'variantValue'], 'i')}, i.variant_option_title as "optionTitle",
     ${columns(['catalogProductId', 'catalogVariantId', 'categoryKeys'], 'i')}, i.stock_taken::float8 as "stockTaken"
   from order_items i where i.store_id = $1 and i.order_id = $2 order by i.position`,
);

export const DELETE_LINES = statement(
  'delete_order_lines',
  `delete from order_items where store_id = $1 and order_id = $2`,
);

/**
 * Writes the new lines of an order, whose old ones were deleted, with its total and its order.updated event.
 * $2 order, $3 total, $4 pricing, $5 to $15 the lines as arrays, $16 event id, $17 now.
 */
export const REPLACE_ITEMS = statement(
  'replace_order_items',
  `with o as (
    update orders o set total_price = $3, pricing = $4,
      updated_at = ${versionAfter('o.updated_at', NOW)}
    where o.store_id = $1 and o.id = $2 returning o.*
  ), lines as (
    insert into order_items (store_id, order_id, position, ${LINE_COLUMNS})
    select o.store_id, o.id, l.position, ${LINE_VALUES} from o, ${linesOf(5)}
    returning *
  ), written as materialized (select o.id, ${orderJson('lines')} as json from o),
  ${writeEvent('order.updated', 'written', '$16', '$17')}
  select w.json, exists (select from delivery) as has_delivery from written w`,
);

/**
 * Locks products by their external ids, always in the same order, so that two carts cannot wait for each
 * other.
 */
export const LOCK_PRODUCTS = statement(
  'lock_products',
  `select p.id, p.product_id, p.title, p.price, p.sale_price, p.item_amount::float8, p.is_hidden or not ${inOpenCategory('p')} as is_off_sale,
     json_build_array(k.id, k.slug, k.name, p.category) as category_keys,
     exists (select from variants v where v.store_id = p.store_id and v.product_id = p.id) as has_variants
   from products p left join categories k on k.store_id = p.store_id and k.id = p.category_id
   where p.store_id = $1 and p.product_id = any($2::text[]) order by p.id for update of p`,
);

/**
 * Locks only the variants that lines name. $2 products, $3 ids, $4 options, $5 values: one of each per line,
 * null if the line does not give it.
 */
export const LOCK_VARIANTS = statement(
  'lock_variants',
  `select v.id, v.product_id, v.option_title, v.variant_value, v.price, v.sale_price, v.item_amount::float8
   from variants v where v.store_id = $1 and v.product_id = any($2::uuid[]) and exists (
     select from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as w (product_id, id, option_title, variant_value)
     where w.product_id = v.product_id and (w.id is null or w.id = v.id::text)
       and (w.option_title is null or w.option_title = v.option_title) and (w.variant_value is null or w.variant_value = v.variant_value)
   ) order by v.id for update`,
);

/**
 * $2 ids, $3 the quantity of each (negative to return stock), $4 now. Rows that do not track stock are not
 * changed.
 */
const takeStock = (table: string) => `
  update ${table} r set item_amount = least(r.item_amount - t.quantity, ${Number.MAX_SAFE_INTEGER}),
    updated_at = ${versionAfter('r.updated_at', '$4')}
  from unnest($2::uuid[], $3::bigint[]) as t (id, quantity)
  where r.store_id = $1 and r.id = t.id and r.item_amount is not null`;

export const TAKE_PRODUCT_STOCK = statement('take_product_stock', takeStock('products'));
export const TAKE_VARIANT_STOCK = statement('take_variant_stock', takeStock('variants'));

/**
 * Records a message to the shopper about order $3. $2 id, $4 kind, $5 outcome, $6 sender, $7 now. Nothing if
 * the order was deleted.
 */
export const NOTE_MESSAGE = statement(
  'note_order_message',
  `insert into order_messages (store_id, id, order_id, kind, outcome, sent_by, created_at)
   select o.store_id, $2, o.id, $4, $5, $6, $7 from orders o where o.store_id = $1 and o.id = $3 for key share of o`,
);
