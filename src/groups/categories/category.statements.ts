import { columns } from '../../platform/database/columns.js';
import { type Statement, statement } from '../../platform/database/statement.js';
import { Category } from './category.entity.js';

/**
 * The categories after sort order $2 and id $3, at most $4. Rising sort orders with falling ids are not a
 * single range of the index, and an OR of two ranges would be filtered from the first row on. As two ranges,
 * a deep page costs as much as the first one.
 */
const list = (name: string, which = ''): Statement =>
  statement(
    name,
    `select ${columns(Category, 'c')} from (
       (select * from categories where store_id = $1 and sort_order = $2 and id < $3 ${which} order by id desc limit $4)
       union all
       (select * from categories where store_id = $1 and sort_order > $2 ${which} order by sort_order, id desc limit $4)
     ) c order by sort_order, id desc limit $4`,
  );

export const LIST_CATEGORIES = list('list_categories');
export const LIST_ROOT_CATEGORIES = list('list_root_categories', 'and parent_id is null');
/** The children of $5. */
export const LIST_CHILD_CATEGORIES = list('list_child_categories', 'and parent_id = $5');

/** Locks products in the same order as carts, so that they cannot deadlock (docs/behaviour.md §6.6). */
export const LOCK_PRODUCTS_OF_CATEGORY = statement(
  'lock_products_of_category',
  'select from products p where p.store_id = $1 and p.category_id = $2 order by p.id for update',
);

/**
 * Locks the category $2 and all others under its parent. They are locked by id, so that two callers cannot
 * deadlock.
 */
export const LOCK_SIBLINGS = statement(
  'lock_sibling_categories',
  `select ${columns(Category, 'c')} from categories c
   where c.store_id = $1 and exists (
     select from categories named where named.store_id = $1 and named.id = $2 and named.parent_id is not distinct from c.parent_id
   ) order by c.id for update`,
);

/** $2 ids, $3 sort orders, $4 versions. The rows must already be locked. */
export const SET_SORT_ORDERS = statement(
  'set_category_sort_orders',
  `update categories c set sort_order = t.sort_order, updated_at = t.updated_at
   from unnest($2::uuid[], $3::bigint[], $4::timestamptz[]) as t (id, sort_order, updated_at) where c.store_id = $1 and c.id = t.id`,
);

/** Allows one mover at a time in a store, until the end of the transaction. */
export const LOCK_TREE = statement(
  'lock_category_tree',
  `select pg_advisory_xact_lock(hashtextextended('categories:' || $1::text, 0))`,
);

/** The category $2 and all its ancestors, nearest first. */
export const PATH_TO_ROOT = statement(
  'category_path_to_root',
  `with recursive path as (
     select id, parent_id, 0 as distance from categories where store_id = $1 and id = $2
     union all
     select c.id, c.parent_id, path.distance + 1 from categories c join path on c.store_id = $1 and c.id = path.parent_id
   )
   select id from path order by distance`,
);
