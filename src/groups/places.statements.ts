import { statement } from '../platform/database/statement.js';

/** SQL of the categories that `which`, a condition on category `c`, selects, and of all above them. */
const upFrom = (which: string) => `with recursive up as (
    select c.id as start, c.id, c.parent_id, c.is_active, c.name, 0 as distance from categories c
    where c.store_id = $store and ${which}
    union all
    select up.start, c.id, c.parent_id, c.is_active, c.name, up.distance + 1
    from categories c join up on c.store_id = $store and c.id = up.parent_id
  )`;

/** SQL of why shoppers do not see product `of`: the first reason there is, or null if they do. */
export const notOnSaleBecause = (of: string) => `case when ${of}.is_hidden then 'hidden'
  when ${of}.category_id is not null and exists (
    ${upFrom(`c.id = ${of}.category_id`)} select from up where not up.is_active
  ) then 'category_inactive' end`;

/** The given categories that shoppers do not see, with the nearest one that is not active. */
export const FIND_CLOSED = statement(
  'find_closed_categories',
  `${upFrom('c.id = any($ids::uuid[])')}
   select distinct on (up.start) up.start as "id!", k.name as "name!", up.id as "closedId!",
     up.name as "closedName!"
   from up join categories k on k.store_id = $store and k.id = up.start
   where not up.is_active order by up.start, up.distance`,
);

/**
 * How many products shoppers see in a category, and in those below it. A category that is not active hides
 * all that is below it.
 */
export const COUNT_ON_SALE_WITHIN = statement(
  'count_on_sale_within_category',
  `with recursive down as (
     select n.id from categories n where n.store_id = $store and n.id = $categoryId and not exists (
       ${upFrom('c.id = $categoryId')} select from up where not up.is_active)
     union
     select n.id from categories n join down on n.parent_id = down.id
     where n.store_id = $store and n.is_active
   ) select count(*)::int as "products!" from products p
     where p.store_id = $store and not p.is_hidden and p.category_id in (select down.id from down)`,
);

/** How many products a brand or category links that still have this text as its name. */
const sayingStill = (kind: string) => `select count(*)::int as "products!" from products p
  where p.store_id = $store and p.${kind}_id = $id and lower(btrim(p.${kind})) = lower(btrim($name::text))`;

export const COUNT_SAYING_STILL = {
  brand: statement('count_products_saying_brand', sayingStill('brand')),
  category: statement('count_products_saying_category', sayingStill('category')),
};

/** The brands and categories with these ids, and those with these names. */
export const FIND_NAMED = statement(
  'find_named_records',
  `select 'brand' as "kind!", b.id as "id!", b.name as "name!" from brands b
   where b.store_id = $store and (b.id = any($ids::uuid[]) or lower(btrim(b.name)) = any($texts::text[]))
   union all
   select 'category', c.id, c.name from categories c
   where c.store_id = $store and (c.id = any($ids::uuid[]) or lower(btrim(c.name)) = any($texts::text[]))
   order by 1, 2`,
);
