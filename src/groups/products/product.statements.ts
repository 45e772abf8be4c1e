import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { isUuid } from '../../platform/schema/formats.js';
import { withinBytes } from '../../platform/schema/pages/page.js';
import { nameKey } from '../../platform/text/name-key.js';
import { versionAfter } from '../../platform/store/version.js';
import { notOnSaleBecause } from '../places.statements.js';
import { Product } from './product.entity.js';
import { saleColumns, salePriceOf, saleUntilText } from './sale.statements.js';
import { NAMED_VARIANTS, type NamedVariant } from './sale-warnings.js';
import { VariantRecord, type VariantValueRecord } from './variants/variants.dto.js';

/** Columns that each statement gives itself, or that nobody sees. */
const OF_SALE = ['salePrice', 'saleUntil'] as const;
const UNSEEN = ['productKey', 'movedAt', 'editedAt'] as const;
const PRODUCT_COLUMNS = `${columns(Product, 'p', [...OF_SALE, ...UNSEEN])}, ${saleColumns('p')}`;
const VARIANT_OWN = columns(VariantRecord, 'v', ['productId', ...OF_SALE]);
const VARIANT_COLUMNS = `${VARIANT_OWN}, ${saleColumns('v')}`;

/**
 * The product that `productNamed` names. If an external id is also the internal id of a product, the internal
 * id is used. The select around coalesce is necessary: row-level security would keep a condition with a bare
 * coalesce, which is not known to be leakproof, from using the index.
 */
const NAMED_PRODUCT = `(select coalesce(
  (select i.id from products i where i.store_id = $store and i.id = $id?::uuid),
  (select e.id from products e where e.store_id = $store and e.product_key = $externalKey)))`;

/** The parameters of statements that accept a product's internal id or its external productId. */
export const productNamed = (name: string) => ({
  id: isUuid(name) ? name : null,
  externalKey: nameKey(name),
});

/** The columns of a product that may be large, for `withinBytes`. */
export const PRODUCT_BYTES = 'octet_length(r.description) + octet_length(r.title) + pg_column_size(r.images)';
/**
 * The size of the variants that are listed with a product: their texts, and 120 bytes for the rest of each.
 */
export const VARIANTS_BYTES = `(
  select coalesce(sum(octet_length(v.option_title) + octet_length(v.variant_value) + 120), 0)
  from variants v where v.store_id = $store and v.product_id = r.id)`;

/** SQL of the first variants of the product `p`, as sentences name them; one more than they name. */
export const VARIANTS_NAMED = `(
  select coalesce(json_agg(n), '[]') from (
    select v.id, concat(v.option_title, ': ', v.variant_value) as name from variants v
    where v.store_id = p.store_id and v.product_id = p.id
    order by v.sort_order, v.id limit ${NAMED_VARIANTS + 1}
  ) n)`;

/** Variants are counted only for the rows of the page. */
export const LIST_PRODUCTS = statement(
  'list_products',
  `select ${PRODUCT_COLUMNS}, (
     select count(*)::integer from variants v where v.store_id = p.store_id and v.product_id = p.id
   ) as "variantCount!", ${notOnSaleBecause('p')} as "notOnSaleBecause", p."rowsRead"
   from ${withinBytes(
     `select p.* from products p where p.store_id = $store and p.id < $idBelow::uuid
      order by p.id desc limit $take`,
     PRODUCT_BYTES,
   )} p order by p.id desc`,
);

/** The variants are not grouped yet, and are in the order in which they are shown. */
export const GET_PRODUCT = statement(
  'get_product',
  `select ${PRODUCT_COLUMNS}, coalesce((
     select json_agg(f order by f."sortOrder", f.id) from (
       select ${VARIANT_OWN}, ${salePriceOf('v')} as "salePrice", ${saleUntilText('v')} as "saleUntil"
       from variants v where v.store_id = p.store_id and v.product_id = p.id
     ) f
   ), '[]') as "variants!", ${notOnSaleBecause('p')} as "notOnSaleBecause"
   from products p where p.store_id = $store and p.id = ${NAMED_PRODUCT}`,
  { row: as<{ variants: (VariantValueRecord & { optionTitle: string })[] }>() },
);

export const INSERT_VARIANTS = statement(
  'insert_variants',
  `insert into variants (store_id, id, product_id, option_title, variant_value, price, sale_price,
     item_amount, sort_order, created_at, updated_at)
   select $store::uuid, v.id, $productId::uuid, v.option_title, v.variant_value, v.price, v.sale_price,
     v.item_amount, v.sort_order, $now::timestamptz, $now::timestamptz
   from unnest($ids::uuid[], $optionTitles::text[], $variantValues::text[], $prices::numeric[],
       $salePrices::numeric[], $itemAmounts::bigint[], $sortOrders::bigint[])
     as v (id, option_title, variant_value, price, sale_price, item_amount, sort_order)`,
);

/** A product without variants returns one row whose id is null, so none of its columns is marked. */
export const LIST_VARIANTS = statement(
  'list_variants',
  `select p.product_id as "productId", f.* from products p left join lateral (
     select ${VARIANT_COLUMNS.replaceAll('!', '')} from variants v
     where v.store_id = p.store_id and v.product_id = p.id and v.id < $idBelow::uuid
     order by v.id desc limit $take
   ) f on true
   where p.store_id = $store and p.id = ${NAMED_PRODUCT} order by f.id desc`,
);

export const GET_VARIANT = statement(
  'get_variant',
  `select p.product_id as "productId", ${VARIANT_COLUMNS}
   from variants v join products p on p.store_id = v.store_id and p.id = v.product_id
   where v.store_id = $store and v.id = $id`,
);

export const LOCK_NAMED_PRODUCT = statement(
  'lock_named_product',
  `select p.id from products p where p.store_id = $store and p.id = ${NAMED_PRODUCT} for update of p`,
);

/**
 * The options, the values of this option and the variants, once this variant is in it. Runs after the product
 * is locked, so that it counts variants that were created meanwhile.
 */
export const COUNT_VARIANTS_WITH = statement(
  'count_variants_with',
  `select 1 + count(distinct v.option_key)
       filter (where v.option_key <> $optionKey)::int as "options!",
     1 + count(*) filter (where v.option_key = $optionKey)::int as "values!",
     1 + count(*)::int as "total!"
   from variants v where v.store_id = $store and v.product_id = $productId and v.id <> $id`,
);

export const LOCK_PRODUCT_OF_VARIANT = statement(
  'lock_product_of_variant',
  `select from products p where p.store_id = $store and p.id = (
     select v.product_id from variants v where v.store_id = $store and v.id = $variantId
   ) for update of p`,
);

/** The new version of a product whose variants changed. The product must already be locked. */
export const TOUCH_PRODUCT = statement(
  'touch_product',
  `update products p set updated_at = ${versionAfter('p.updated_at', '$now')}
   where p.store_id = $store and p.id = $productId`,
);

/** Another variant than this one. */
export const FIND_EQUAL_VARIANT = statement(
  'find_equal_variant',
  `select from variants v where v.store_id = $store and v.product_id = $productId and v.id <> $id
     and v.option_key = $optionKey and v.value_key = $valueKey limit 1`,
);

export const LOCK_VARIANT = statement(
  'lock_variant',
  `select from variants v where v.store_id = $store and v.id = $variantId for update`,
);

/**
 * Changes the stock of the row that `found` finds, which must already be locked. Returns no row if nothing
 * was found. `isChanged` is false if the column cannot hold the result, `next`.
 */
function changeStock(
  table: string,
  found: string,
  { before = '', after = '', variants = "'[]'::json" } = {},
): string {
  return `with ${before} found as (${found}), target as (
    select id, item_amount, updated_at,
      case when $isRelative::boolean then coalesce(item_amount, 0) else 0 end + $amount::bigint as next
    from found
  ), changed as (
    update ${table} c set item_amount = t.next, updated_at = ${versionAfter('t.updated_at', '$now')}
    from target t
    where c.store_id = $store and c.id = t.id and t.next between 0 and ${Number.MAX_SAFE_INTEGER}
    returning c.id
  ) ${after}
  select id, item_amount::float8 as previous, updated_at as "updatedAt", next as "next!",
    exists (select from changed) as "isChanged!", ${variants} as "variants!"
  from target`;
}

export const CHANGE_PRODUCT_STOCK = statement(
  'change_product_stock',
  changeStock(
    'products',
    `select r.id, r.item_amount, r.updated_at from products r
     where r.store_id = $store and r.id = ${NAMED_PRODUCT}`,
    {
      variants: `(select ${VARIANTS_NAMED} from products p where p.store_id = $store and p.id = target.id)`,
    },
  ),
  { row: as<{ variants: NamedVariant[] }>() },
);

/** The variant must belong to that product, which must be locked too and gets a new version. */
export const CHANGE_VARIANT_STOCK = statement(
  'change_variant_stock',
  changeStock(
    'variants',
    `select r.id, r.item_amount, r.updated_at from variants r join product on product.id = r.product_id
     where r.store_id = $store and r.id = $variantId`,
    {
      before: `product as materialized (
        select p.id from products p where p.store_id = $store and p.id = ${NAMED_PRODUCT}
      ),`,
      after: `, touched as (
        update products p set updated_at = ${versionAfter('p.updated_at', '$now')} from product, changed
        where p.store_id = $store and p.id = product.id
      )`,
    },
  ),
  { row: as<{ variants: NamedVariant[] }>() },
);

/**
 * SQL of the ids of the categories of the store that shoppers do not see: inactive ones, and all categories
 * below them. Products in them are not on sale (docs/ordering.md).
 */
export const CLOSED_CATEGORIES = `with recursive closed as (
    select n.id from categories n where n.store_id = $store and not n.is_active
    union
    select n.id from categories n join closed on n.parent_id = closed.id where n.store_id = $store
  ) select closed.id from closed`;

/**
 * SQL that is true if a product is in no closed category. `of` is the name of the product's table in the
 * statement.
 */
export const inOpenCategory = (of: string) =>
  `(${of}.category_id is null or ${of}.category_id not in (${CLOSED_CATEGORIES}))`;

/** The lines of orders that hold something of a product, or of a variant. */
const HELD = `from order_items i, orders o, products p
   where p.store_id = $store and p.id = $productId and i.store_id = $store and i.product_id = p.product_id
     and i.catalog_product_id = p.id and i.catalog_variant_id is not distinct from $variantId?::uuid
     and i.stock_taken > 0 and o.store_id = $store and o.id = i.order_id and o.status <> 'CANCELLED'`;

export const LOCK_HOLDINGS = statement(
  'lock_holdings',
  `select i.order_id::float8 as "orderId!", i.stock_taken::float8 as "pieces!" ${HELD}
   order by i.order_id, i.position for no key update of i`,
);

/**
 * Orders hold nothing any more of a product, or of a variant, whose stock is no longer tracked, shipped ones
 * included, which may be opened again (docs/behaviour.md §6.6). Its row must be locked, and these lines.
 */
export const END_HOLDINGS = statement(
  'end_holdings',
  `update order_items l set stock_taken = 0 from (select i.order_id, i.position ${HELD}) h
   where l.store_id = $store and l.order_id = h.order_id and l.position = h.position`,
);
