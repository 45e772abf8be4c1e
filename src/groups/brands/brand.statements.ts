import { as, statement } from '../../platform/database/statement.js';
import { versionAfter } from '../../platform/store/version.js';
import { newestOf } from '../../platform/store/records.js';
import { FIRST } from '../big-deletions.js';
import { Brand } from './brand.entity.js';

export const LIST_BRANDS = statement('list_brands', newestOf('brands', Brand));

export const COUNT_PRODUCTS_OF_BRAND = statement(
  'count_products_of_brand',
  'select count(*)::int as "count!" from products p where p.store_id = $store and p.brand_id = $brandId',
);

export const COUNT_LINKS_OF_BRAND = statement(
  'count_links_of_brand',
  `select count(*)::int as "products!", 0 as "categories!", (
     select coalesce(json_agg(f.id), '[]') from (
       select p.id from products p where p.store_id = $store and p.brand_id = $id order by p.id limit ${FIRST}
     ) f) as "first!"
   from products p where p.store_id = $store and p.brand_id = $id`,
  { row: as<{ first: string[] }>() },
);

/**
 * Removes the brand from its products, which must already be locked, by a change of each. Sorting many ids
 * here would keep the event loop.
 */
export const REMOVE_BRAND = statement(
  'remove_brand_from_products',
  `with removed as (
     update products p set brand_id = null, updated_at = ${versionAfter('p.updated_at', '$now')}
     where p.store_id = $store and p.brand_id = $brandId returning p.id
   )
   select r.id from removed r order by r.id`,
);

/** Locks products in the same order as carts, so that they cannot deadlock (docs/behaviour.md §6.6). */
export const LOCK_PRODUCTS_OF_BRAND = statement(
  'lock_products_of_brand',
  'select from products p where p.store_id = $store and p.brand_id = $brandId order by p.id for update',
);
