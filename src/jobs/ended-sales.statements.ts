import { statement, systemStatement } from '../platform/database/statement.js';
import { versionAfter } from '../platform/store/version.js';

const ended = (table: string) => `select r.store_id from ${table} r where r.sale_until <= $now::timestamptz`;

/** Stores with sales whose end has come. `$leftOut` are those that are left to the next run. */
export const LIST_STORES_WITH_ENDED = systemStatement(
  'list_stores_with_ended_sales',
  `select s.id as "storeId", s.currency from stores s
   where s.id in (${ended('products')} union ${ended('variants')})
     and s.read_only_since is null and s.id <> all ($leftOut::uuid[])`,
);

/** The products whose own sale has ended, or that of a variant, locked as by orders: first products by id. */
export const LOCK_WITH_ENDED = statement(
  'lock_products_with_ended_sales',
  `select p.id from products p where p.store_id = $store and p.id in (
     select o.id from products o where o.store_id = $store and o.sale_until <= $now
     union
     select v.product_id from variants v where v.store_id = $store and v.sale_until <= $now
   ) order by p.id limit $take for update of p`,
);

/** What ends of the locked products. Whoever changes a variant has its product locked. */
const endOf = (table: string, productId: string) => `ended_${table} as (
    update ${table} r set sale_price = null, sale_until = null,
      updated_at = ${versionAfter('r.updated_at', '$now')}
    from (
      select e.id, e.sale_price, e.sale_until from ${table} e
      where e.store_id = $store and e.${productId} = any($ids::uuid[]) and e.sale_until <= $now
    ) e where r.store_id = $store and r.id = e.id
    returning r.id, r.${productId} as product_id, e.sale_price, e.sale_until
  )`;

/** A product gets a new version with its variants, too. */
export const END_SALES = statement(
  'end_sales',
  `with ${endOf('variants', 'product_id')}, ${endOf('products', 'id')}, touched as (
     update products p set updated_at = ${versionAfter('p.updated_at', '$now')}
     where p.store_id = $store and p.id in (select v.product_id from ended_variants v)
       and p.id not in (select o.id from ended_products o)
   )
   select 'product' as "kind!", o.id as "id!", o.sale_price as "salePrice!", o.sale_until as "saleUntil!"
   from ended_products o
   union all
   select 'variant', v.id, v.sale_price, v.sale_until from ended_variants v`,
);
