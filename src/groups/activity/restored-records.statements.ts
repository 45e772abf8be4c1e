import { statement } from '../../platform/database/statement.js';
import { versionAfter } from '../../platform/store/version.js';

/** Inserts a deleted row again, which is given by column. */
const restore = (table: string) => `insert into ${table}
  select r.* from json_populate_record(null::${table}, $row::json) r where r.store_id = $store`;

/** Locks rows by id, so that two callers cannot deadlock. */
const lock = (table: string) =>
  `select from ${table} r where r.store_id = $store and r.id = any($ids::uuid[]) order by r.id for update`;
const PRODUCTS = statement('lock_products_to_link', lock('products'));
const CATEGORIES = statement('lock_categories_to_link', lock('categories'));

/** Gives locked rows that still have no such link their former one, by a change of each. */
const link = (table: string, column: string) =>
  `update ${table} r set ${column} = $id, updated_at = ${versionAfter('r.updated_at', '$now')}
   where r.store_id = $store and r.id = any($ids::uuid[]) and r.${column} is null`;

/** The lock that every move of a category takes (groups/categories/category-tree.ts). */
const LOCK_TREE = statement(
  'lock_tree_of_category',
  `select pg_advisory_xact_lock(hashtextextended('categories:' || $store::text, 0))`,
);
/** Whether the category is above itself. Unlike the path to the root, it ends in a circle too. */
const IS_IN_CIRCLE = statement(
  'is_category_in_circle',
  `with recursive above as (
     select c.parent_id as id from categories c where c.store_id = $store and c.id = $id
     union
     select c.parent_id from categories c join above on c.store_id = $store and c.id = above.id
   )
   select 1 as found from above where above.id = $id`,
);

/** Records that come back under their id, with their links by table. */
export const RESTORED = {
  brand: {
    row: statement('restore_brand', restore('brands')),
    links: {
      products: {
        lock: PRODUCTS,
        link: statement('restore_products_of_brand', link('products', 'brand_id')),
      },
    },
  },
  category: {
    row: statement('restore_category', restore('categories')),
    links: {
      products: {
        lock: PRODUCTS,
        link: statement('restore_products_of_category', link('products', 'category_id')),
      },
      categories: {
        lock: CATEGORIES,
        link: statement('restore_child_categories', link('categories', 'parent_id')),
      },
    },
    // Its former parent may be below one of its former children by now.
    tree: { lock: LOCK_TREE, isInCircle: IS_IN_CIRCLE },
  },
  contest: { row: statement('restore_contest', restore('contests')), links: {} },
  promocode: { row: statement('restore_promocode', restore('promocodes')), links: {} },
};

export interface Restored {
  row: typeof RESTORED.brand.row;
  links: Record<string, typeof RESTORED.brand.links.products>;
  tree?: typeof RESTORED.category.tree;
}
