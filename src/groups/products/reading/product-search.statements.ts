import { columns } from '../../../platform/database/columns.js';
import { type RowOf, type Statement, statement } from '../../../platform/database/statement.js';
import type { Statements } from '../../../platform/database/statements.generated.js';
import { MAX_TOTAL, withinBytes } from '../../../platform/schema/pages/page.js';
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';
import { notOnSaleBecause } from '../../places.statements.js';
import { VARIANTS_BYTES } from '../product.statements.js';
import { FoundProduct, type FoundVariant } from './product-search.dto.js';

/** The condition and the order of a walk. `$afterTime` and `$afterId` are those of the previous row. */
interface Walk {
  behind: string;
  order: (row: string) => string;
}

const byId = (isRising: boolean): Walk => ({
  behind: `p.id ${isRising ? '>' : '<'} $afterId::uuid`,
  order: (row) => (isRising ? `${row}.id` : `${row}.id desc`),
});
const byUpdate = (isRising: boolean): Walk => ({
  behind: `(p.updated_at, p.id) ${isRising ? '>' : '<'} ($afterTime::timestamptz, $afterId::uuid)`,
  order: (row) => (isRising ? `${row}.updated_at, ${row}.id` : `${row}.updated_at desc, ${row}.id desc`),
});

const WALKS: Record<Sort, Walk> = {
  newest: byId(false),
  oldest: byId(true),
  recently_updated: byUpdate(false),
  least_recently_updated: byUpdate(true),
};
const BY_ID = ['newest', 'oldest'] as const;
/** Ids rise with the time of creation. The other orders are by the time of the last change. */
export const isById = (sort: Sort): sort is (typeof BY_ID)[number] => sort === 'newest' || sort === 'oldest';

const SEARCHED_TEXT = 'product_search_text(p.search_text, p.title, p.product_id, p.tags)';
const PATTERNS = 'array(select search_pattern(word) from unnest(search_words($text?)) word)';
/** SQL of whether product `p`, or a variant of it, has one of the codes. */
const HAS_CODE = `(p.sku = any($codes?::text[]) or p.barcode = any($codes?) or exists (
    select from variants d where d.store_id = $store and d.product_id = p.id
    and (d.sku = any($codes?) or d.barcode = any($codes?))))`;
/** SQL of the ids of those products, by the indexes of the codes. */
const CODED = `select p.id from products p where p.store_id = $store and p.sku = any($codes?::text[])
  union select p.id from products p where p.store_id = $store and p.barcode = any($codes?)
  union select v.product_id from variants v where v.store_id = $store and v.sku = any($codes?)
  union select v.product_id from variants v where v.store_id = $store and v.barcode = any($codes?)`;
const TEXT = `select f.id from find_products($store::uuid, $text?) as f (id) union ${CODED}`;
/** The conditions of all searches. Null means that there is no such condition. */
const FILTER = `($isHidden?::boolean is null or p.is_hidden = $isHidden?)
  and ($updatedFrom?::timestamptz is null or p.updated_at >= $updatedFrom?)
  and ($brandId?::uuid is null or p.brand_id = $brandId?)
  and ($categoryIds?::uuid[] is null or p.category_id = any($categoryIds?))
  and ($maxStock?::bigint is null or p.item_amount <= $maxStock? or exists (
    select from variants n where n.store_id = $store and n.product_id = p.id and n.item_amount <= $maxStock?))
  and ($text?::text is null or ${SEARCHED_TEXT} like all (${PATTERNS}) or ${HAS_CODE})`;

/** SQL of a page with the columns and variants of the products `f`. */
const page = (rows: string, { order }: Walk) => `
  select ${columns(FoundProduct, 'f', ['variants', 'onSale', 'notOnSaleBecause'])},
    ${notOnSaleBecause('f')} as "notOnSaleBecause", (
      select coalesce(json_agg(json_build_object('id', v.id,
        'name', concat(v.option_title, ': ', v.variant_value), 'price', v.price, 'salePrice', v.sale_price,
        'itemAmount', v.item_amount, 'sku', v.sku, 'barcode', v.barcode) order by v.sort_order, v.id), '[]')
      from variants v where v.store_id = $store and v.product_id = f.id) as "variants!", f."rowsRead"
  from ${withinBytes(rows, VARIANTS_BYTES, order('r'))} f order by ${order('f')}`;

type Found<Name extends keyof Statements> = Statement<
  Statements[Name] & { row: { variants: FoundVariant[] } }
>;
export type FoundRow = RowOf<(typeof FIND_ALL)[Sort]>;

/** One statement per sort. */
const each = <By extends Sort, Name extends keyof Statements>(
  sorts: readonly By[],
  name: (sort: By) => Name,
  text: (sort: By, walk: Walk) => string,
) =>
  Object.fromEntries(
    sorts.map((sort) => {
      const walk = WALKS[sort];
      return [sort, statement(name(sort), page(text(sort, walk), walk), { slow: true })];
    }),
  ) as Record<By, Found<Name>>;

/**
 * Merges the first rows of each source. `source` is SQL that returns one row for each value of `key`. The key
 * is also part of the order, so that no index other than its own fits.
 */
const merged = (source: string, key: string, sort: Sort, walk: Walk) => {
  const first = `order by p.${key}${sort === 'newest' ? ' desc' : ''}, ${walk.order('p')} limit $take`;
  return `
  select m.* from ${source} cross join lateral (
    select p.* from products p
    where p.store_id = $store and p.${key} = s.${key} and ${walk.behind} and ${FILTER}
    ${isById(sort) ? first : ''}
  ) m order by ${walk.order('m')} limit $take`;
};

/** All products: by id, or by time with the index of product_marks. */
export const FIND_ALL = each(
  SORTS,
  (sort) => `find_products_all_${sort}`,
  (sort, walk) => {
    if (isById(sort)) {
      return `select p.* from products p where p.store_id = $store and ${walk.behind} and ${FILTER}
        order by ${walk.order('p')} limit $take`;
    }
    const isRising = sort === 'least_recently_updated';
    const by = isRising ? 'm.changed_at, m.product_id' : 'm.changed_at desc, m.product_id desc';
    return `select p.* from (
      select m.product_id, m.changed_at from product_marks m
      where m.store_id = $store and m.changed_at is not null
        and (m.changed_at, m.product_id) ${isRising ? '>' : '<'} ($afterTime::timestamptz, $afterId::uuid)
        and m.changed_at >= coalesce($updatedFrom?::timestamptz, '-infinity') order by ${by}
    ) m cross join lateral (
      select p.* from products p where p.store_id = $store and p.id = m.product_id and ${FILTER} offset 0
    ) p order by ${by} limit $take`;
  },
);

/** The products that are hidden, or those that are not, by id. */
export const FIND_OF_VISIBILITY = each(
  BY_ID,
  (sort) => `find_products_of_visibility_${sort}`,
  (sort, walk) => merged('(select $isHidden?::boolean as is_hidden) s', 'is_hidden', sort, walk),
);

/** Those of the next `$window` products that match. */
export const FIND_NEAR = each(
  BY_ID,
  (sort) => `find_products_near_${sort}`,
  (_, walk) => `select p.* from (
      select p.* from products p where p.store_id = $store and ${walk.behind}
      order by ${walk.order('p')} limit $window
    ) p where ${FILTER} order by ${walk.order('p')} limit $take`,
);

/** The products of a brand. */
export const FIND_OF_BRAND = each(
  SORTS,
  (sort) => `find_products_of_brand_${sort}`,
  (sort, walk) => merged('(select $brandId?::uuid as brand_id) s', 'brand_id', sort, walk),
);

/** The products of several categories. */
export const FIND_OF_CATEGORIES = each(
  SORTS,
  (sort) => `find_products_of_categories_${sort}`,
  (sort, walk) => merged('unnest($categoryIds?::uuid[]) as s (category_id)', 'category_id', sort, walk),
);

/** The products with low stock, up to the stock level `$level`, through the levels in product_marks. */
export const FIND_LOW = each(
  SORTS,
  (sort) => `find_products_low_${sort}`,
  (sort, walk) => {
    const [before, direction] = sort === 'newest' ? ['<', 'desc'] : ['>', ''];
    const first = `and m.product_id ${before} $afterId::uuid order by m.product_id ${direction} limit $take`;
    return `select p.* from (
      select distinct x.product_id from generate_series(0, $level::integer) as s (level) cross join lateral (
        select distinct m.product_id from product_marks m cross join lateral (
          select from products p
          where p.store_id = $store and p.id = m.product_id and ${walk.behind} and ${FILTER} offset 0
        ) p
        where m.store_id = $store and m.level = s.level::smallint ${isById(sort) ? first : ''}
      ) x
    ) low join products p on p.store_id = $store and p.id = low.product_id
    order by ${walk.order('p')} limit $take`;
  },
);

/**
 * The products that contain the words of the text, found by the index of words. The other conditions are then
 * applied to them.
 */
export const FIND_TEXT = each(
  SORTS,
  (sort) => `find_products_text_${sort}`,
  (_, walk) => `
  select p.* from (${TEXT}) as found (id) cross join lateral (
    select p.* from products p
    where p.store_id = $store and p.id = found.id and ${walk.behind} and ${FILTER} offset 0
  ) p order by ${walk.order('p')} limit $take`,
);

/** The products that changed since a time, found by the time of their change and then sorted. */
export const FIND_CHANGED = each(
  BY_ID,
  (sort) => `find_products_changed_${sort}`,
  (_, walk) => `
  select p.* from (
    select m.product_id from product_marks m
    where m.store_id = $store and m.changed_at >= $updatedFrom?::timestamptz offset 0
  ) m join products p on p.store_id = $store and p.id = m.product_id
  where ${walk.behind} and ${FILTER} order by ${walk.order('p')} limit $take`,
);

/** SQL of the products of each source. The one that `$by` names is read, by its own index. */
const SOURCES = {
  text: TEXT,
  low: `select distinct m.product_id from product_marks m
    where m.store_id = $store and m.level <= $level::smallint`,
  category: `select c.id from products c
    where c.store_id = $store and c.category_id = any($categoryIds?::uuid[])`,
  brand: `select b.id from products b where b.store_id = $store and b.brand_id = $brandId?::uuid`,
  changed: `select m.product_id from product_marks m
    where m.store_id = $store and m.changed_at >= $updatedFrom?::timestamptz`,
};
export type Source = keyof typeof SOURCES;

const FOUND = Object.entries(SOURCES)
  .map(([name, rows]) => `select n.id from (${rows}) n (id) where $by::text = '${name}'`)
  .join(' union all ');

/** SQL of a total: at most one more than the highest exact one. */
const total = (rows: string) =>
  `select count(*)::integer as "total!" from (${rows} limit ${MAX_TOTAL + 1}) found`;

/** Those of a source that meet the other conditions. */
export const COUNT_FOUND = statement(
  'count_found_products',
  total(`select from (${FOUND}) x cross join lateral (
    select from products p where p.store_id = $store and p.id = x.id and ${FILTER} offset 0) p`),
  { slow: true },
);

/** The products of a store, those of them that are hidden, or those that are not. */
export const COUNT_ALL = statement(
  'count_all_products',
  total(`select from products p where p.store_id = $store
    and ($isHidden?::boolean is null or p.is_hidden = $isHidden?)
    and ($maxStock?::bigint is null or p.item_amount <= $maxStock? or exists (select from variants n
      where n.store_id = $store and n.product_id = p.id and n.item_amount <= $maxStock?))`),
  { slow: true },
);

export const IS_BRAND = statement(
  'is_brand',
  `select from brands b where b.store_id = $store and b.id = $brandId`,
);
