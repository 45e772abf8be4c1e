import { columns } from '../../../platform/database/columns.js';
import { withinBytes } from '../../../platform/schema/pages/page.js';
import { type Statement, statement } from '../../../platform/database/statement.js';
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';
import { FoundProduct } from './product-search.dto.js';
import { VARIANTS_BYTES } from '../product.statements.js';

/** The condition and the order of a walk. $2 and $3 are the time and the id of the previous row. */
interface Walk {
  behind: string;
  order: (row: string) => string;
}

const byId = (isRising: boolean): Walk => ({
  behind: `p.id ${isRising ? '>' : '<'} $3::uuid and $2::timestamptz is not null`,
  order: (row) => (isRising ? `${row}.id` : `${row}.id desc`),
});
const byUpdate = (isRising: boolean): Walk => ({
  behind: `(p.updated_at, p.id) ${isRising ? '>' : '<'} ($2::timestamptz, $3::uuid)`,
  order: (row) => (isRising ? `${row}.updated_at, ${row}.id` : `${row}.updated_at desc, ${row}.id desc`),
});

const WALKS: Record<Sort, Walk> = {
  newest: byId(false),
  oldest: byId(true),
  recently_updated: byUpdate(false),
  least_recently_updated: byUpdate(true),
};
const isById = (sort: Sort) => sort === 'newest' || sort === 'oldest';

/**
 * The conditions of all searches: $5 whether hidden, $6 changed since, $7 brand, $8 categories, $9 the
 * highest stock, $10 text. Null means that there is no such condition.
 */
const SEARCHED_TEXT = 'product_search_text(p.search_text, p.title, p.product_id, p.tags)';
const FILTER = `($5::boolean is null or p.is_hidden = $5) and ($6::timestamptz is null or p.updated_at >= $6)
  and ($7::uuid is null or p.brand_id = $7) and ($8::uuid[] is null or p.category_id = any($8))
  and ($9::bigint is null or p.item_amount <= $9
    or exists (select from variants n where n.store_id = $1 and n.product_id = p.id and n.item_amount <= $9))
  and ($10::text is null or ${SEARCHED_TEXT} like all (array(select search_pattern(word) from unnest(search_words($10)) word)))`;

/** SQL of a page with the columns and variants of the products `f`, at most $4. */
const page = (rows: string, { order }: Walk) => `
  select ${columns(FoundProduct, 'f', ['variants'])}, (
      select coalesce(json_agg(json_build_object('id', v.id, 'name', concat(v.option_title, ': ', v.variant_value), 'price', v.price,
        'salePrice', v.sale_price, 'itemAmount', v.item_amount) order by v.sort_order, v.id), '[]')
      from variants v where v.store_id = $1 and v.product_id = f.id) as variants, f."rowsRead"
  from ${withinBytes(rows, VARIANTS_BYTES, order('r'))} f order by ${order('f')}`;

const each = (
  name: string,
  sorts: readonly Sort[],
  text: (sort: Sort, walk: Walk) => string,
): Record<Sort, Statement> =>
  Object.fromEntries(
    sorts.map((sort) => [
      sort,
      statement(`find_products_${name}_${sort}`, page(text(sort, WALKS[sort]), WALKS[sort]), { slow: true }),
    ]),
  ) as Record<Sort, Statement>;

/**
 * Merges the first rows of each source. `source` is SQL that returns one row for each value of `key`. The key
 * is also part of the order, so that no index other than its own fits.
 */
const merged = (source: string, key: string, sort: Sort, walk: Walk) => `
  select m.* from ${source} cross join lateral (
    select p.* from products p where p.store_id = $1 and p.${key} = s.${key} and ${walk.behind} and ${FILTER}
    ${isById(sort) ? `order by p.${key}${sort === 'newest' ? ' desc' : ''}, ${walk.order('p')} limit $4` : ''}
  ) m order by ${walk.order('m')} limit $4`;

/** All products: by id, or by time with the index of product_marks. */
export const FIND_ALL = each('all', SORTS, (sort, walk) => {
  if (isById(sort))
    return `select p.* from products p where p.store_id = $1 and ${walk.behind} and ${FILTER} order by ${walk.order('p')} limit $4`;
  const isRising = sort === 'least_recently_updated';
  const by = isRising ? 'm.changed_at, m.product_id' : 'm.changed_at desc, m.product_id desc';
  return `select p.* from (
      select m.product_id, m.changed_at from product_marks m where m.store_id = $1 and m.changed_at is not null
        and (m.changed_at, m.product_id) ${isRising ? '>' : '<'} ($2::timestamptz, $3::uuid)
        and m.changed_at >= coalesce($6::timestamptz, '-infinity') order by ${by}
    ) m cross join lateral (
      select p.* from products p where p.store_id = $1 and p.id = m.product_id and ${FILTER} offset 0
    ) p order by ${by} limit $4`;
});

/** The products that are hidden, or those that are not, by id. */
export const FIND_OF_VISIBILITY = each('of_visibility', ['newest', 'oldest'], (sort, walk) =>
  merged('(select $5::boolean as is_hidden) s', 'is_hidden', sort, walk),
);

/** Those of the next $11 products that match. */
export const FIND_NEAR = each('near', ['newest', 'oldest'], (_, walk) => {
  const near = `select p.* from products p where p.store_id = $1 and ${walk.behind} order by ${walk.order('p')} limit $11`;
  return `select p.* from (${near}) p where ${FILTER} order by ${walk.order('p')} limit $4`;
});

/** The products of a brand. */
export const FIND_OF_BRAND = each('of_brand', SORTS, (sort, walk) =>
  merged('(select $7::uuid as brand_id) s', 'brand_id', sort, walk),
);

/** The products of several categories. */
export const FIND_OF_CATEGORIES = each('of_categories', SORTS, (sort, walk) =>
  merged('unnest($8::uuid[]) as s (category_id)', 'category_id', sort, walk),
);

/** The products with low stock, up to the stock level $11, through the levels in product_marks. */
export const FIND_LOW = each('low', SORTS, (sort, walk) => {
  const direction = sort === 'newest' ? 'desc' : '';
  return `select p.* from (
      select distinct x.product_id from generate_series(0, $11::integer) as s (level) cross join lateral (
        select distinct m.product_id from product_marks m cross join lateral (
          select from products p where p.store_id = $1 and p.id = m.product_id and ${walk.behind} and ${FILTER} offset 0
        ) p
        where m.store_id = $1 and m.level = s.level::smallint
          ${isById(sort) ? `and m.product_id ${sort === 'newest' ? '<' : '>'} $3::uuid order by m.product_id ${direction} limit $4` : ''}
      ) x
    ) low join products p on p.store_id = $1 and p.id = low.product_id order by ${walk.order('p')} limit $4`;
});

/**
 * The products that contain the words of the text, found by the index of words. The other conditions are then
 * applied to them.
 */
export const FIND_TEXT = each(
  'text',
  SORTS,
  (_, walk) => `
  select p.* from find_products($1::uuid, $10) as found (id) cross join lateral (
    select p.* from products p where p.store_id = $1 and p.id = found.id and ${walk.behind} and ${FILTER} offset 0
  ) p order by ${walk.order('p')} limit $4`,
);

/** The products that changed since $6, found by the time of their change and then sorted. */
export const FIND_CHANGED = each(
  'changed',
  ['newest', 'oldest'],
  (_, walk) => `
  select p.* from (
    select m.product_id from product_marks m where m.store_id = $1 and m.changed_at >= $6::timestamptz offset 0
  ) m join products p on p.store_id = $1 and p.id = m.product_id where ${walk.behind} and ${FILTER} order by ${walk.order('p')} limit $4`,
);

/** The category $2 and all categories below it. Returns no row if the store has no such category. */
export const CATEGORIES_WITHIN = statement(
  'categories_within',
  `with recursive within as (
     select n.id from categories n where n.store_id = $1 and n.id = $2::uuid
     union select n.id from categories n join within on n.parent_id = within.id where n.store_id = $1
   ) select within.id from within`,
);

export const IS_BRAND = statement(
  'is_brand',
  `select from brands b where b.store_id = $1 and b.id = $2::uuid`,
);
