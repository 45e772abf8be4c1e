import { inOpenCategory } from '../../../groups/products/product.statements.js';
import { hasSale, salePriceOf } from '../../../groups/products/sale.statements.js';
import { smallPictureOf } from '../../../stores/pictures/small-pictures.js';
import { as, statement } from '../../../platform/database/statement.js';
import { pageRows, type Searched } from '../../../search/sql.js';
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
    case when v.price is null then ${salePriceOf('p')} else v.sale_price end as "salePrice",
    coalesce(v.differ, false) as "isFrom!", coalesce(v.out, p.item_amount = 0, false) as "isSoldOut!",
    p."rowsRead!"
  from (select r.*, count(*) over () as "rowsRead!" from (${rows}) r) p left join lateral (
    select (array_agg(x.price order by x.is_out, x.charged, x.id))[1] as price,
      (array_agg(x.sale_price order by x.is_out, x.charged, x.id))[1] as sale_price,
      coalesce(min(x.charged) filter (where not x.is_out) < max(x.charged) filter (where not x.is_out),
        min(x.charged) < max(x.charged)) as differ,
      bool_and(x.is_out) as out
    from (
      select y.*, coalesce(y.sale_price, y.price) as charged
      from (
        select s.id, s.price, ${salePriceOf('s')} as sale_price,
          s.item_amount is not distinct from 0 as is_out
        from variants s where s.store_id = $store and s.product_id = p.id
      ) y
    ) x having count(*) > 0
  ) v on true order by p.id desc`;

const hasVariant = (p: string) =>
  `select from variants s where s.store_id = $store and s.product_id = ${p}.id`;
/** SQL of whether a product is for sale and meets the conditions of all lists, but for the text. */
const shown = (p: string) => `not ${p}.is_hidden and ${inOpenCategory(p)}
  and ($brandId?::uuid is null or ${p}.brand_id = $brandId?)
  and ($subCategory?::text is null or ${p}.sub_category = $subCategory?)
  and ($categoryIds?::uuid[] is null or ${p}.category_id = any($categoryIds?))
  and ($ids?::uuid[] is null or ${p}.id = any($ids?))
  and (not $onSale::boolean or exists (${hasVariant(p)} and ${hasSale('s')})
    or (${hasSale(p)} and not exists (${hasVariant(p)})))`;
const SHOWN = `p.store_id = $store and p.id < $afterId::uuid and ${shown('p')}`;

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
        where ${hasSale('p')} and not exists (${hasVariant('p')}) and ${SHOWN}
        order by p.id desc limit $take)
      union all
      (select p.* from (
          select distinct v.product_id as id from variants v
          where v.store_id = $store and ${hasSale('v')} and v.product_id < $afterId::uuid
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

const WITH_TEXT: Searched<'newest'> = {
  kind: 'product',
  idType: 'uuid',
  record: (id) => `products r where r.store_id = $store and r.id = ${id}`,
  walks: {
    newest: {
      rows: (most) => `select r.* from products r where r.store_id = $store and r.id < $afterId::uuid
        order by r.id desc limit ${most}`,
      by: null,
      isRising: false,
    },
  },
  filter: shown('r'),
  sources: {},
};
export const FIND_SHOWN = statement('find_shown_products', listed(pageRows(WITH_TEXT, 'newest')), {
  slow: true,
});

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
