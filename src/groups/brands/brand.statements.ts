import { as, statement } from '../../platform/database/statement.js';
import { newestOf } from '../../platform/store/records.js';
import { FIRST } from '../big-deletions.js';
import { Brand } from './brand.entity.js';

export const LIST_BRANDS = statement('list_brands', newestOf('brands', Brand));

export const COUNT_LINKS_OF_BRAND = statement(
  'count_links_of_brand',
  `select count(*)::int as "products!", 0 as "categories!", (
     select coalesce(json_agg(f.id), '[]') from (
       select p.id from products p where p.store_id = $store and p.brand_id = $id order by p.id limit ${FIRST}
     ) f) as "first!"
   from products p where p.store_id = $store and p.brand_id = $id`,
  { row: as<{ first: string[] }>() },
);
