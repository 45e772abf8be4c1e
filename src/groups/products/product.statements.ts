import { withinBytes } from '../../platform/schema/pages/page.js';
import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { isUuid } from '../../platform/schema/formats.js';
import { versionAfter } from '../../platform/store/version.js';
import { Product } from './product.entity.js';
import { VariantRecord } from './variants/variants.dto.js';

const VARIANT_COLUMNS = columns(VariantRecord, 'v', ['productId']);

/**
 * The product that $2 and $3 of `productNamed` name. If an external id is also the internal id of a product,
 * the internal id is used. The select around coalesce is necessary: row-level security would keep a condition
 * with a bare coalesce, which is not known to be leakproof, from using the index.
 */
const NAMED_PRODUCT = `(select coalesce(
  (select i.id from products i where i.store_id = $1 and i.id = $2::uuid),
  (select e.id from products e where e.store_id = $1 and e.product_id = $3)))`;

/** The parameters $2 and $3 of statements that accept a product's internal id or its external productId. */
export function productNamed(name: string): [internalId: string | null, productId: string] {
  return [isUuid(name) ? name : null, name];
}

/** The columns of a product that may be large, for `withinBytes`. */
export const PRODUCT_BYTES = 'octet_length(r.description) + octet_length(r.title) + pg_column_size(r.images)';
/**
 * The size of the variants that are listed with a product: their texts, and 120 bytes for the rest of each.
 */
export const VARIANTS_BYTES = `(select coalesce(sum(octet_length(v.option_title) + octet_length(v.variant_value) + 120), 0)
  from variants v where v.store_id = $1 and v.product_id = r.id)`;

/**
 * $2 the id below which the page starts, $3 the number of rows. Variants are counted only for the rows of the
 * page.
 */
export const LIST_PRODUCTS = statement(
  'list_products',
  `select ${columns(Product, 'p', ['searchText'])}, (
     select count(*)::integer from variants v where v.store_id = p.store_id and v.product_id = p.id
   ) as "variantCount", p."rowsRead"
   from ${withinBytes(
     'select p.* from products p where p.store_id = $1 and p.id < $2::uuid order by p.id desc limit $3',
     PRODUCT_BYTES,
   )} p order by p.id desc`,
);

/** $2 and $3 the product. Its variants are not grouped yet, and are in the order in which they are shown. */
export const GET_PRODUCT = statement(
  'get_product',
  `select ${columns(Product, 'p', ['searchText'])}, coalesce((
     select json_agg(f order by f."sortOrder", f.id) from (
       select ${VARIANT_COLUMNS} from variants v where v.store_id = p.store_id and v.product_id = p.id
     ) f
   ), '[]') as variants
   from products p where p.store_id = $1 and p.id = ${NAMED_PRODUCT}`,
);

/** $2 the product's internal id, $3 to $9 the variants as arrays, $10 now. */
export const INSERT_VARIANTS = statement(
  'insert_variants',
  `insert into variants (store_id, id, product_id, option_title, variant_value, price, sale_price, item_amount, sort_order,
     created_at, updated_at)
   select $1::uuid, v.id, $2::uuid, v.option_title, v.variant_value, v.price, v.sale_price, v.item_amount, v.sort_order,
     $10::timestamptz, $10::timestamptz
   from unnest($3::uuid[], $4::text[], $5::text[], $6::numeric[], $7::numeric[], $8::bigint[], $9::bigint[])
     as v (id, option_title, variant_value, price, sale_price, item_amount, sort_order)`,
);

/**
 * $2 and $3 the product, $4 the id below which the page starts, $5 the number of rows. A product without
 * variants returns one row whose id is null.
 */
export const LIST_VARIANTS = statement(
  'list_variants',
  `select p.product_id as "productId", f.* from products p left join lateral (
     select ${VARIANT_COLUMNS} from variants v where v.store_id = p.store_id and v.product_id = p.id and v.id < $4::uuid
     order by v.id desc limit $5
   ) f on true
   where p.store_id = $1 and p.id = ${NAMED_PRODUCT} order by f.id desc`,
);

export const GET_VARIANT = statement(
  'get_variant',
  `select p.product_id as "productId", ${VARIANT_COLUMNS}
   from variants v join products p on p.store_id = v.store_id and p.id = v.product_id
   where v.store_id = $1 and v.id = $2`,
);

/** Locks the product that $2 and $3 name. */
export const LOCK_NAMED_PRODUCT = statement(
  'lock_named_product',
  `select p.id from products p where p.store_id = $1 and p.id = ${NAMED_PRODUCT} for update of p`,
);

/**
 * Runs after the product is locked, so that it counts variants that were created meanwhile. $2 the product's
 * internal id, $3 an option.
 */
export const COUNT_VARIANTS = statement(
  'count_variants',
  `select count(distinct v.option_title) filter (where v.option_title <> $3)::int as "otherOptions",
     count(*) filter (where v.option_title = $3)::int as values
   from variants v where v.store_id = $1 and v.product_id = $2`,
);

/** $2 the variant. */
export const LOCK_PRODUCT_OF_VARIANT = statement(
  'lock_product_of_variant',
  `select from products p where p.store_id = $1
     and p.id = (select v.product_id from variants v where v.store_id = $1 and v.id = $2) for update of p`,
);

/** $2 the product's internal id, $3 the variant that is not compared, $4 option, $5 value. */
export const FIND_EQUAL_VARIANT = statement(
  'find_equal_variant',
  `select 1 from variants v
   where v.store_id = $1 and v.product_id = $2 and v.id <> $3 and v.option_title = $4 and v.variant_value = $5 limit 1`,
);

/**
 * Changes the stock of the row that `locked` finds. It is read and written under one lock, so that no two
 * changes start from the same amount. $4 the number, $5 whether it is relative, $6 now. Returns no row if
 * nothing was found. `isChanged` is false if the column cannot hold the result.
 */
function changeStock(table: string, locked: string): string {
  return `with found as (${locked} for update of r), target as (
    select id, item_amount, updated_at, case when $5::boolean then coalesce(item_amount, 0) else 0 end + $4::bigint as next from found
  ), changed as (
    update ${table} c set item_amount = t.next, updated_at = ${versionAfter('t.updated_at', '$6')} from target t
    where c.store_id = $1 and c.id = t.id and t.next between 0 and ${Number.MAX_SAFE_INTEGER} returning c.id
  )
  select id, item_amount::float8 as previous, updated_at as "updatedAt", next, exists (select from changed) as "isChanged" from target`;
}

export const CHANGE_PRODUCT_STOCK = statement(
  'change_product_stock',
  changeStock(
    'products',
    `select r.id, r.item_amount, r.updated_at from products r where r.store_id = $1 and r.id = ${NAMED_PRODUCT}`,
  ),
);

/** $7 the variant, which must belong to that product. */
export const CHANGE_VARIANT_STOCK = statement(
  'change_variant_stock',
  changeStock(
    'variants',
    `select r.id, r.item_amount, r.updated_at from variants r where r.store_id = $1 and r.id = $7 and r.product_id = ${NAMED_PRODUCT}`,
  ),
);

/**
 * SQL of the ids of the categories of the store ($1) that shoppers do not see: inactive ones, and all
 * categories below them. Products in them are not on sale (docs/ordering.md).
 */
export const CLOSED_CATEGORIES = `with recursive closed as (
    select n.id from categories n where n.store_id = $1 and not n.is_active
    union select n.id from categories n join closed on n.parent_id = closed.id where n.store_id = $1
  ) select closed.id from closed`;

/**
 * SQL that is true if a product is in no closed category. `of` is the name of the product's table in the
 * statement.
 */
export const inOpenCategory = (of: string) =>
  `(${of}.category_id is null or ${of}.category_id not in (${CLOSED_CATEGORIES}))`;
