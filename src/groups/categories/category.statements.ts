import { type Statement, statement } from '../../platform/database/statement.js';

// As a double the driver gives a number, exactly: input keeps sort_order within ±(2^53-1).
const COLUMNS = `id, name, slug, description, image_url as "imageUrl", parent_id as "parentId", sort_order::float8 as "sortOrder",
  is_active as "isActive", created_at as "createdAt", updated_at as "updatedAt"`;

/**
 * SQL of the ids of the store's ($1) categories that shoppers do not see: those that are not active, with all below them. What is in
 * one is not on sale (docs/ordering.md).
 */
export const CLOSED_CATEGORIES = `with recursive closed as (
    select n.id from categories n where n.store_id = $1 and not n.is_active
    union select n.id from categories n join closed on n.parent_id = closed.id where n.store_id = $1
  ) select closed.id from closed`;

/** SQL of whether no closed category is that of a product; `of` is the product's table in the statement. */
export const inOpenCategory = (of: string) => `(${of}.category_id is null or ${of}.category_id not in (${CLOSED_CATEGORIES}))`;

/**
 * What comes after sort order $2 and id $3, at most $4. Rising order and falling ids are no single range of the index, and an OR
 * of two would be filtered from the first row on; as two ranges, a deep page costs what the first one does.
 */
const list = (name: string, which = ''): Statement =>
  statement(
    name,
    `select ${COLUMNS} from (
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
