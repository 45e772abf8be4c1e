import { statement } from '../../../platform/database/statement.js';

/** Columns that find_products leaves out. A linked brand or category comes before the product's own text. */
export const EXPORT_DETAILS = statement(
  'export_product_details',
  `select p.id, coalesce(b.name, p.brand) as brand, coalesce(g.name, p.category) as category, p.tags,
     p.description, p.images[1] as image, array_to_string(p.images, ' ') as images
   from products p left join brands b on b.store_id = $store and b.id = p.brand_id
   left join categories g on g.store_id = $store and g.id = p.category_id
   where p.store_id = $store and p.id = any($ids::uuid[])`,
  { slow: true },
);
