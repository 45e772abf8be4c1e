import { type Statement, statement } from '../../platform/database/statement.js';

// As a double the driver gives a number, exactly: input keeps sort_order within ±(2^53-1).
const COLUMNS = `id, name, slug, description, image_url as "imageUrl", parent_id as "parentId", sort_order::float8 as "sortOrder",
  is_active as "isActive", created_at as "createdAt", updated_at as "updatedAt"`;

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
