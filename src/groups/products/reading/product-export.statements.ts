import { as, statement } from '../../../platform/database/statement.js';
import { saleUntilOf } from '../sale.statements.js';

/**
 * Columns that find_products leaves out, and the options of variants by their ids. A linked brand or category
 * comes before the product's own text.
 */
export const EXPORT_DETAILS = statement(
  'export_product_details',
  `select p.id, coalesce(b.name, p.brand) as brand, coalesce(g.name, p.category) as category, p.tags,
     p.description, ${saleUntilOf('p')} as "saleUntil", p.images[1] as image,
     array_to_string(p.images, ' ') as images, (
       select json_object_agg(v.id, v.option_title) from variants v
       where v.store_id = $store and v.product_id = p.id) as options
   from products p left join brands b on b.store_id = $store and b.id = p.brand_id
   left join categories g on g.store_id = $store and g.id = p.category_id
   where p.store_id = $store and p.id = any($ids::uuid[])`,
  { row: as<{ options: Record<string, string> | null }>(), slow: true },
);
