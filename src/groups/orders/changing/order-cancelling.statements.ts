import { statement } from '../../../platform/database/statement.js';

/** The balance of customer $2, locked. */
export const LOCK_BALANCE = statement(
  'lock_balance',
  `select c.bonus_balance as balance from customers c where c.store_id = $1 and c.id = $2 for no key update`,
);

/**
 * The bonus that order $2 has spent, and the cashback that it has earned. Cashback that a store gives for
 * cancelling is not included, because cancelling would take it back at once.
 */
export const GET_ORDER_BONUS = statement(
  'get_order_bonus',
  `select coalesce(-sum(e.delta) filter (where e.kind in ('spend', 'refund')), 0)::text as spent,
     coalesce(sum(e.delta) filter (where e.kind in ('cashback_reversal', 'cashback_return') or e.kind = 'cashback' and not coalesce(
       e.rules->>'trigger' = 'on_status' and e.rules->>'triggerStatus' = 'CANCELLED', false)), 0)::text as earned
   from bonus_entries e where e.store_id = $1 and e.order_id = $2`,
);

const WITH_STOCK = `from order_items i where i.store_id = $1 and i.order_id = $2 and i.stock_taken > 0`;

/** The lines of order $2 that took stock. */
export const LIST_STOCK_LINES = statement(
  'list_stock_lines',
  `select i.position, i.product_id, i.variant_value, coalesce(i.catalog_variant_id, i.catalog_product_id) as sold_id,
     i.stock_taken::float8 as stock_taken ${WITH_STOCK} order by i.position`,
);

/**
 * The products and then the variants that order $2 took stock from, locked in the order in which carts lock
 * them.
 */
export const LOCK_ORDER_PRODUCTS = statement(
  'lock_order_products',
  `select p.id, p.item_amount::float8 from products p
   where p.store_id = $1 and p.id in (select i.catalog_product_id ${WITH_STOCK}) order by p.id for update of p`,
);

export const LOCK_ORDER_VARIANTS = statement(
  'lock_order_variants',
  `select v.id, v.item_amount::float8 from variants v
   where v.store_id = $1 and v.id in (select i.catalog_variant_id ${WITH_STOCK}) order by v.id for update of v`,
);

/** $2 the order, $3 positions, $4 the stock that each line has taken. */
export const SET_STOCK_TAKEN = statement(
  'set_stock_taken',
  `update order_items i set stock_taken = t.stock_taken from unnest($3::integer[], $4::bigint[]) as t (position, stock_taken)
   where i.store_id = $1 and i.order_id = $2 and i.position = t.position`,
);

/** $2 the promocode. Returns no row if the promocode was deleted. */
export const RETURN_PROMOCODE_USE = statement(
  'return_promocode_use',
  `update promocodes set used_count = used_count - 1 where store_id = $1 and id = $2 and used_count > 0 returning 1`,
);

/** $2 the promocode. Returns no row if the promocode was deleted or is used up by now. */
export const RETAKE_PROMOCODE_USE = statement(
  'retake_promocode_use',
  `update promocodes set used_count = used_count + 1
   where store_id = $1 and id = $2 and (max_uses is null or used_count < max_uses) returning 1`,
);

/** $2 the order, $3 what cancelling returned, $4 how the price was made up. */
export const SAVE_CANCELLATION = statement(
  'save_cancellation',
  `update orders set cancellation = $3, pricing = $4 where store_id = $1 and id = $2`,
);
