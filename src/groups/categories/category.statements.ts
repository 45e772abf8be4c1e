import { columns } from '../../platform/database/columns.js';
import { type Statement, statement } from '../../platform/database/statement.js';
import { Category } from './category.entity.js';

/**
 * What comes after sort order $2 and id $3, at most $4. Rising order and falling ids are no single range of the index, and an OR
 * of two would be filtered from the first row on; as two ranges, a deep page costs what the first one does.
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
/** Those below $5. */
export const LIST_CHILD_CATEGORIES = list('list_child_categories', 'and parent_id = $5');

/** In the order in which carts lock products, so that neither waits for the other (docs/behaviour.md §6.6). */
export const LOCK_PRODUCTS_OF_CATEGORY = statement(
  'lock_products_of_category',
  'select from products p where p.store_id = $1 and p.category_id = $2 order by p.id for update',
);

/** The category $2 and all others under its parent. Locked by id, so that of two callers neither waits for the other. */
export const LOCK_SIBLINGS = statement(
  'lock_sibling_categories',
  `select ${columns(Category, 'c')} from categories c
   where c.store_id = $1 and exists (
     select from categories named where named.store_id = $1 and named.id = $2 and named.parent_id is not distinct from c.parent_id
   ) order by c.id for update`,
);

/** $2 ids, $3 sort orders, $4 versions. The rows are locked. */
export const SET_SORT_ORDERS = statement(
  'set_category_sort_orders',
  `update categories c set sort_order = t.sort_order, updated_at = t.updated_at
   from unnest($2::uuid[], $3::bigint[], $4::timestamptz[]) as t (id, sort_order, updated_at) where c.store_id = $1 and c.id = t.id`,
);

/** One mover at a time in a store. Held to the end of the transaction. */
export const LOCK_TREE = statement(
  'lock_category_tree',
  `select pg_advisory_xact_lock(hashtextextended('categories:' || $1::text, 0))`,
);

/** The category $2 and all above it, nearest first. */
export const PATH_TO_ROOT = statement(
  'category_path_to_root',
  `with recursive path as (
     select id, parent_id, 0 as distance from categories where store_id = $1 and id = $2
     union all
     select c.id, c.parent_id, path.distance + 1 from categories c join path on c.store_id = $1 and c.id = path.parent_id
   )
   select id from path order by distance`,
);
