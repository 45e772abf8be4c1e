import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { versionAfter } from '../../platform/store/version.js';
import { FIRST } from '../big-deletions.js';
import { Category } from './category.entity.js';

/** A union's columns have no origin, so the database does not say which of them are never null. */
const ROW = { row: as<Omit<Category, 'storeId'>>() };

/**
 * The categories after a position. Rising sort orders with falling ids are not a single range of the index,
 * and an OR of two ranges would be filtered from the first row on. As two ranges, a deep page costs as much
 * as the first one.
 */
const after = (which = '') => `select ${columns(Category, 'c')} from (
    (select * from categories
     where store_id = $store and sort_order = $afterSortOrder and id < $afterId ${which}
     order by id desc limit $take)
    union all
    (select * from categories
     where store_id = $store and sort_order > $afterSortOrder ${which}
     order by sort_order, id desc limit $take)
  ) c order by sort_order, id desc limit $take`;

export const LIST_CATEGORIES = statement('list_categories', after(), ROW);
export const LIST_ROOT_CATEGORIES = statement('list_root_categories', after('and parent_id is null'), ROW);
export const LIST_CHILD_CATEGORIES = statement(
  'list_child_categories',
  after('and parent_id = $parentId'),
  ROW,
);

export const COUNT_LINKS_OF_CATEGORY = statement(
  'count_links_of_category',
  `select count(*)::int as "products!", (
       select count(*)::int from categories c where c.store_id = $store and c.parent_id = $id
     ) as "categories!", (
       select coalesce(json_agg(f.id), '[]') from (
         select p.id from products p where p.store_id = $store and p.category_id = $id
         order by p.id limit ${FIRST}
       ) f) as "first!"
   from products p where p.store_id = $store and p.category_id = $id`,
  { row: as<{ first: string[] }>() },
);

export const LOCK_CHILDREN = statement(
  'lock_child_categories',
  `select from categories c where c.store_id = $store and c.parent_id = $categoryId order by c.id for update`,
);

/** Makes the children of a category root categories, by a change of each. They must already be locked. */
export const RELEASE_CHILDREN = statement(
  'release_child_categories',
  `with released as (
     update categories c set parent_id = null, updated_at = ${versionAfter('c.updated_at', '$now')}
     where c.store_id = $store and c.parent_id = $categoryId returning c.id
   )
   select r.id from released r order by r.id`,
);

/**
 * Locks a category and all others under its parent. They are locked by id, so that two callers cannot
 * deadlock.
 */
export const LOCK_SIBLINGS = statement(
  'lock_sibling_categories',
  `select ${columns(Category, 'c')} from categories c
   where c.store_id = $store and exists (
     select from categories named
     where named.store_id = $store and named.id = $id and named.parent_id is not distinct from c.parent_id
   ) order by c.id for update`,
);

/** The rows must already be locked. */
export const SET_SORT_ORDERS = statement(
  'set_category_sort_orders',
  `update categories c set sort_order = t.sort_order, updated_at = t.updated_at
   from unnest($ids::uuid[], $sortOrders::bigint[], $versions::timestamptz[])
     as t (id, sort_order, updated_at)
   where c.store_id = $store and c.id = t.id`,
);

/** Allows one mover at a time in a store, until the end of the transaction. */
export const LOCK_TREE = statement(
  'lock_category_tree',
  `select pg_advisory_xact_lock(hashtextextended('categories:' || $store::text, 0))`,
);

/** A category and all its ancestors, nearest first. */
export const PATH_TO_ROOT = statement(
  'category_path_to_root',
  `with recursive path as (
     select id, parent_id, 0 as distance from categories where store_id = $store and id = $id
     union all
     select c.id, c.parent_id, path.distance + 1
     from categories c join path on c.store_id = $store and c.id = path.parent_id
   )
   select id as "id!" from path order by distance`,
);
