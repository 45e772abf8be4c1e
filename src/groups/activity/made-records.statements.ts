import { statement } from '../../platform/database/statement.js';

/** Records that a call made many of. They are deleted again as long as they are as they were made. */
export const MADE = {
  product: {
    kind: 'product',
    /** Carts that take stock, and changes of variants, give the product a new version. */
    untouched: statement(
      'lock_untouched_products',
      `select p.id as "id!" from products p
       where p.store_id = $store and p.id = any($ids::uuid[]) and p.updated_at = p.created_at
         and not exists (
           select from order_items i where i.store_id = $store and i.product_id = p.product_id
             and i.catalog_product_id = p.id)
       order by p.id for update of p`,
    ),
  },
  variant: {
    kind: 'variant',
    untouched: statement(
      'lock_untouched_variants',
      `select v.id as "id!" from variants v join products p on p.store_id = $store and p.id = v.product_id
       where v.store_id = $store and v.id = any($ids::uuid[]) and v.updated_at = v.created_at
         and not exists (
           select from order_items i where i.store_id = $store and i.product_id = p.product_id
             and i.catalog_variant_id = v.id)
       order by v.id for update of v`,
    ),
  },
  promocode: {
    kind: 'promocode',
    /** A cancelled order has given its use back, but still names the code. */
    untouched: statement(
      'lock_untouched_promocodes',
      `select c.id as "id!" from promocodes c
       where c.store_id = $store and c.id = any($ids::uuid[]) and c.updated_at = c.created_at
         and c.used_count = 0 and not exists (
           select from orders o where o.store_id = $store and o.created_at >= c.created_at
             and o.pricing->'promocode'->>'id' = c.id::text)
       order by c.id for update of c`,
    ),
  },
};

export interface Made {
  kind: string;
  untouched: typeof MADE.product.untouched;
}
