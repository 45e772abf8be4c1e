import { as, statement } from '../../../platform/database/statement.js';
import type { Cancellation } from '../order/stored-pricing.js';

/**
 * The bonus that an order has "spent!", the cashback that it has earned, and the referrer's reward that it
 * has. Cashback that a store gives for cancelling is not included, because cancelling would take it back at
 * once.
 */
export const GET_ORDER_BONUS = statement(
  'get_order_bonus',
  `select coalesce(-sum(e.delta) filter (where e.kind in ('spend', 'refund')), 0)::text as "spent!",
     case when bool_or(e.kind = 'cashback' and e.rules->>'trigger' = 'on_status'
         and e.rules->>'triggerStatus' = 'CANCELLED') then '0'
       else coalesce(sum(e.delta) filter (where e.kind in ('cashback', 'cashback_correction',
         'cashback_reversal', 'cashback_return')), 0)::text end as "earned!",
     case when sum(e.delta) filter (where e.kind like 'referral%') > 0 then json_build_object(
       'customerId', max(e.customer_id) filter (where e.kind = 'referral_order')::text,
       'amount', (sum(e.delta) filter (where e.kind like 'referral%'))::text,
       'once', coalesce(bool_or(e.rules->>'referrerBonusFrequency' = 'once'), false)) end as referral
   from bonus_entries e where e.store_id = $store and e.order_id = $orderId`,
  { row: as<{ referral: NonNullable<Cancellation['referral']> | null }>() },
);

const WITH_STOCK = `from order_items i where i.store_id = $store and i.order_id = $orderId
  and i.stock_taken > 0`;

/** The lines of an order that took stock. `sold_id` is the variant's id, or the product's. */
export const LIST_STOCK_LINES = statement(
  'list_stock_lines',
  `select i.position, i.product_id, i.variant_value, i.catalog_variant_id,
     coalesce(i.catalog_variant_id, i.catalog_product_id)
    as "sold_id!",
     i.stock_taken::float8 as "stock_taken!" ${WITH_STOCK} order by i.position`,
);

/**
 * The products and then the variants that an order took stock from, locked in the order in which carts lock
 * them.
 */
export const LOCK_ORDER_PRODUCTS = statement(
  'lock_order_products',
  `select p.id, p.item_amount::float8 from products p
   where p.store_id = $store and p.id in (select i.catalog_product_id ${WITH_STOCK}) order by p.id
   for update of p`,
);

export const LOCK_ORDER_VARIANTS = statement(
  'lock_order_variants',
  `select v.id, v.item_amount::float8 from variants v
   where v.store_id = $store and v.id in (select i.catalog_variant_id ${WITH_STOCK}) order by v.id
   for update of v`,
);

/** The stock that each line has taken. */
export const SET_STOCK_TAKEN = statement(
  'set_stock_taken',
  `update order_items i set stock_taken = t.stock_taken
    from unnest($positions::integer[], $quantities::bigint[]) as t (position, stock_taken)
   where i.store_id = $store and i.order_id = $orderId and i.position = t.position`,
);

export const SAVE_CANCELLATION = statement(
  'save_cancellation',
  `update orders set cancellation = $cancellation?, pricing = $pricing? where store_id = $store
    and id = $orderId`,
);
