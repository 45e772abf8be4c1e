import { inOpenCategory } from '../../../groups/products/product.statements.js';
import { smallPictureOf } from '../../../stores/pictures/small-pictures.js';
import { as, statement } from '../../../platform/database/statement.js';
import type { CatalogProduct } from '../storefront.dto.js';
import { CATALOG_COLUMNS } from '../storefront.statements.js';

/**
 * SQL of the list's columns of the products `rows`. The price is the lowest of the variants that are left, or
 * of all if none is.
 */
const listed = (rows: string) => `
  select p.id as "id!", p.product_id as "productId!", p.title as "title!",
    ${smallPictureOf('p.images[1]', 320)} as image,
    coalesce(v.price, p.price) as "price!",
    case when v.price is null then p.sale_price else v.sale_price end as "salePrice",
    coalesce(v.differ, false) as "isFrom!", coalesce(v.out, p.item_amount = 0, false) as "isSoldOut!",
    p."rowsRead!"
  from (select r.*, count(*) over () as "rowsRead!" from (${rows}) r) p left join lateral (
    select (array_agg(x.price order by x.is_out, x.charged, x.id))[1] as price,
      (array_agg(x.sale_price order by x.is_out, x.charged, x.id))[1] as sale_price,
      coalesce(min(x.charged) filter (where not x.is_out) < max(x.charged) filter (where not x.is_out),
        min(x.charged) < max(x.charged)) as differ,
      bool_and(x.is_out) as out
    from (
      select y.*, coalesce(y.sale_price, y.price) as charged, y.item_amount is not distinct from 0 as is_out
      from variants y where y.store_id = $store and y.product_id = p.id
    ) x having count(*) > 0
  ) v on true order by p.id desc`;

const HAS_VARIANT = 'select from variants s where s.store_id = $store and s.product_id = p.id';
const TEXT = 'product_search_text(p.search_text, p.title, p.product_id, p.tags)';
const PATTERNS = 'array(select search_pattern(word) from unnest(search_words($text?)) word)';
/** SQL of whether product `p` is for sale and meets the conditions of all lists. */
const SHOWN = `p.store_id = $store and p.id < $idBelow::uuid and not p.is_hidden and ${inOpenCategory('p')}
  and ($brandId?::uuid is null or p.brand_id = $brandId?)
  and ($subCategory?::text is null or p.sub_category = $subCategory?)
  and ($categoryIds?::uuid[] is null or p.category_id = any($categoryIds?))
  and ($ids?::uuid[] is null or p.id = any($ids?))
  and ($text?::text is null or ${TEXT} like all (${PATTERNS}))
  and (not $onSale::boolean or exists (${HAS_VARIANT} and s.sale_price is not null)
    or (p.sale_price is not null and not exists (${HAS_VARIANT})))`;

/** SQL of the first rows of each of `source`, by an index that begins with `key`. */
const merged = (source: string, key: string) => `
  select m.* from ${source} cross join lateral (
    select p.* from products p where p.${key} = s.${key} and ${SHOWN}
    order by p.${key} desc, p.id desc limit $take
  ) m order by m.id desc limit $take`;

export const LIST_SHOWN = statement(
  'list_shown_products',
  listed(merged('(select false as is_hidden) s', 'is_hidden')),
);
export const LIST_SHOWN_OF_CATEGORIES = statement(
  'list_shown_of_categories',
  listed(merged('unnest($categoryIds?::uuid[]) as s (category_id)', 'category_id')),
);
export const LIST_SHOWN_OF_BRAND = statement(
  'list_shown_of_brand',
  listed(merged('(select $brandId?::uuid as brand_id) s', 'brand_id')),
);
export const LIST_SHOWN_OF_SUB_CATEGORY = statement(
  'list_shown_of_sub_category',
  listed(merged('(select $subCategory?::text as sub_category) s', 'sub_category')),
);
/** Products on sale, by the indexes that have nothing else: first products sold as they are. */
export const LIST_SHOWN_ON_SALE = statement(
  'list_shown_on_sale',
  listed(`select m.* from (
      (select p.* from products p
        where p.sale_price is not null and not exists (${HAS_VARIANT}) and ${SHOWN}
        order by p.id desc limit $take)
      union all
      (select p.* from (
          select distinct v.product_id as id from variants v
          where v.store_id = $store and v.sale_price is not null and v.product_id < $idBelow::uuid
          order by v.product_id desc
        ) s cross join lateral (select p.* from products p where p.id = s.id and ${SHOWN} offset 0) p
        order by s.id desc limit $take)
    ) m order by m.id desc limit $take`),
);
export const LIST_SHOWN_NAMED = statement(
  'list_shown_named',
  listed(`select p.* from unnest($ids?::uuid[]) as s (id) cross join lateral (
      select p.* from products p where p.id = s.id and ${SHOWN} offset 0
    ) p order by p.id desc limit $take`),
);

/** The newest products that have the words, which finds what many products have. */
export const FIND_SHOWN_NEAR = statement(
  'find_shown_near',
  listed(`select p.* from (
      select p.* from products p where p.store_id = $store and p.id < $idBelow::uuid
      order by p.id desc limit 150
    ) p where ${SHOWN} order by p.id desc limit $take`),
);
export const FIND_SHOWN = statement(
  'find_shown_products',
  listed(`select p.* from (
      select f.id from find_products($store::uuid, $text?) as f (id)
    ) s cross join lateral (
      select p.* from products p where p.id = s.id and ${SHOWN} offset 0
    ) p order by p.id desc limit $take`),
  { slow: true },
);

/** Whether so many of the newest products have the words that another condition narrows a search more. */
export const IS_COMMON = statement(
  'is_common_text',
  `select count(*) >= 3 as "isCommon!" from (
     select p.* from products p where p.store_id = $store order by p.id desc limit 150
   ) p where ${TEXT} like all (${PATTERNS})`,
);

export const GET_SHOWN = statement(
  'get_shown_product',
  `select ${CATALOG_COLUMNS} from products p
   where p.store_id = $store and p.id = $id and not p.is_hidden and ${inOpenCategory('p')}`,
  { row: as<{ variants: CatalogProduct['variants'] }>() },
);

export const AWAITS_PAYMENT = statement(
  'awaits_payment',
  `select from awaited_payments a where a.store_id = $store and a.order_id = $orderId`,
);
