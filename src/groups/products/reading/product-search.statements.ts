import { columns } from '../../../platform/database/columns.js';
import { type RowOf, type Statement, statement } from '../../../platform/database/statement.js';
import type { Statements } from '../../../platform/database/statements.generated.js';
import { withinBytes } from '../../../platform/schema/pages/page.js';
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';
import { behind, inOrder, pageRows, type Searched, totalOf, type Walk } from '../../../search/sql.js';
import { notOnSaleBecause } from '../../places.statements.js';
import type { Product } from '../product.entity.js';
import { inOpenCategory, PRODUCT_BYTES, VARIANTS_BYTES } from '../product.statements.js';
import { salePriceOf, saleUntilOf, saleUntilText } from '../sale.statements.js';
import { DETAILS, FoundProduct, type FoundVariant } from './product-search.dto.js';

const RECORD = '(select p.*, p.updated_at as changed_at from products p) r';

/** Ids rise with the time of creation. */
const byId = (isRising: boolean): Walk => ({
  rows: (most) => `select r.* from products r
    where r.store_id = $store and ${behind({ by: null, isRising }, 'uuid', '', 'r.id')}
    order by ${inOrder({ by: null, isRising }, '', 'r.id')} limit ${most}`,
  by: null,
  isRising,
});

/** By the time of the last change, which product_marks has. */
function byChange(isRising: boolean): Walk {
  const by = { column: 'changed_at', type: 'timestamptz' } as const;
  return {
    rows: (most) => `select p.*, m.changed_at, m.product_id as marked_id from (
      select m.product_id, m.changed_at from product_marks m
      where m.store_id = $store and m.changed_at is not null
        and m.changed_at >= coalesce($updatedFrom?::timestamptz, '-infinity')
        and ${behind({ by, isRising }, 'uuid', 'm.changed_at', 'm.product_id')}
      order by ${inOrder({ by, isRising }, 'm.changed_at', 'm.product_id')} limit ${most}
    ) m cross join lateral (
      select * from products n where n.store_id = $store and n.id = m.product_id offset 0
    ) p`,
    by,
    id: 'marked_id',
    isRising,
  };
}

const WALKS: Record<Sort, Walk> = {
  newest: byId(false),
  oldest: byId(true),
  recently_updated: byChange(false),
  least_recently_updated: byChange(true),
};
/** Of these orders, the cursor has no time. */
export const isById = (sort: Sort): boolean => WALKS[sort].by === null;

const PRODUCTS: Searched<Sort> = {
  kind: 'product',
  idType: 'uuid',
  record: (id) => `${RECORD} where r.store_id = $store and r.id = ${id}`,
  walks: WALKS,
  filter: `($isHidden?::boolean is null or r.is_hidden = $isHidden?)
    and ($updatedFrom?::timestamptz is null or r.updated_at >= $updatedFrom?)
    and ($brandId?::uuid is null or r.brand_id = $brandId?)
    and ($categoryIds?::uuid[] is null or r.category_id = any($categoryIds?))
    and (not $isWithoutCategory::boolean or r.category_id is null)
    and ($hasImage?::boolean is null or (cardinality(r.images) > 0) = $hasImage?)
    and ($onSale?::boolean is null or (not r.is_hidden and ${inOpenCategory('r')}) = $onSale?)
    and ($maxStock?::bigint is null or r.item_amount <= $maxStock? or exists (select from variants n
      where n.store_id = $store and n.product_id = r.id and n.item_amount <= $maxStock?))`,
  sources: {
    low: `select distinct m.product_id from product_marks m
      where m.store_id = $store and m.level <= $level?::smallint`,
    category: `select c.id from products c
      where c.store_id = $store and c.category_id = any($categoryIds?::uuid[])`,
    uncategorised: `select u.id from products u
      where u.store_id = $store and u.category_id is null and $isWithoutCategory::boolean`,
    brand: 'select b.id from products b where b.store_id = $store and b.brand_id = $brandId?::uuid',
    visibility: 'select h.id from products h where h.store_id = $store and h.is_hidden = $isHidden?::boolean',
    changed: `select m.product_id from product_marks m
      where m.store_id = $store and m.changed_at >= $updatedFrom?::timestamptz`,
    all: 'select a.id from products a where a.store_id = $store',
  },
};

const COMPUTED = ['variants', 'onSale', 'notOnSaleBecause', 'salePrice', 'saleUntil'] as const;

const OF_VARIANT = `'id', v.id, 'name', concat(v.option_title, ': ', v.variant_value), 'price', v.price,
  'salePrice', ${salePriceOf('v')}, 'itemAmount', v.item_amount, 'sku', v.sku, 'barcode', v.barcode`;
/** An end that there is not is left out. */
const VARIANT = `case when ${saleUntilOf('v')} is null then json_build_object(${OF_VARIANT})
  else json_build_object(${OF_VARIANT}, 'saleUntil', ${saleUntilText('v')}) end`;

/** SQL of a page with the columns and variants of the products `f`. */
const page = (rows: string, walk: Walk) => `
  select ${columns(FoundProduct, 'f', [...DETAILS, ...COMPUTED])}, ${salePriceOf('f')} as "salePrice",
    ${notOnSaleBecause('f')} as "notOnSaleBecause", (
      select coalesce(json_agg(${VARIANT} order by v.sort_order, v.id), '[]')
      from variants v where v.store_id = $store and v.product_id = f.id) as "variants!", f."rowsRead",
    f.total
  from ${withinBytes(rows, VARIANTS_BYTES, inOrder(walk, `r.${walk.by?.column}`, 'r.id'))} f
  order by ${inOrder(walk, `f.${walk.by?.column}`, 'f.id')}`;

type Found<Name extends keyof Statements> = Statement<
  Statements[Name] & { row: { variants: FoundVariant[] } }
>;
export type FoundRow = RowOf<(typeof FIND)[Sort]>;

/** One statement per sort. */
export const FIND = Object.fromEntries(
  SORTS.map((sort) => [
    sort,
    statement(`find_products_${sort}`, page(pageRows(PRODUCTS, sort), WALKS[sort]), { slow: true }),
  ]),
) as Record<Sort, Found<`find_products_${Sort}`>>;

/** What only `fields` asks for, of the products of a page in their order. */
export const FOUND_DETAILS = statement(
  'found_product_details',
  `select p.id, ${columns<Product>([...DETAILS], 'p')}, ${saleUntilOf('p')} as "saleUntil", p."rowsRead"
   from ${withinBytes(
     `select p.*, s.place from unnest($ids::uuid[]) with ordinality as s (id, place)
      join products p on p.store_id = $store and p.id = s.id`,
     PRODUCT_BYTES,
     'r.place',
   )} p order by p.place`,
);

export const COUNT = statement('count_found_products', totalOf(PRODUCTS), { slow: true });

export const IS_BRAND = statement(
  'is_brand',
  `select from brands b where b.store_id = $store and b.id = $brandId`,
);
