import { as, statement } from '../../../platform/database/statement.js';
import { versionAfter } from '../../../platform/store/version.js';
import { VARIANTS_NAMED } from '../product.statements.js';
import { salePriceOf, saleUntilOf } from '../sale.statements.js';
import type { NamedVariant } from '../sale-warnings.js';

/**
 * Rows are locked in the same order as by orders, first products by id, also those of the variants, and then
 * variants by id, so that they cannot deadlock. Prices are text, because text is exact.
 */
const SOLD_COLUMNS = (row: string) =>
  `${row}.id, ${row}.item_amount::float8 as "itemAmount", ${row}.price::text as "price!",
   (${salePriceOf(row)})::text as "salePrice", ${saleUntilOf(row)} as "saleUntil", ${row}.sku, ${row}.barcode,
   p.product_id as "externalId", p.id as "productId"`;
const productsNamed = `select ${SOLD_COLUMNS('p')}, ${VARIANTS_NAMED} as "variants!" from products p
  where p.store_id = $store and p.id in (
    select i.id from products i where i.store_id = $store and i.id = any($ids::uuid[])
    union
    select e.id from products e where e.store_id = $store and e.product_key = any($externalKeys::text[])
    union
    select o.product_id from variants o where o.store_id = $store and o.id = any($variantIds::uuid[])
    union
    select s.id from products s where s.store_id = $store and s.sku_key = any($skus::text[])
    union
    select b.id from products b where b.store_id = $store and b.barcode_key = any($barcodes::text[])
    union
    select o.product_id from variants o where o.store_id = $store and o.sku_key = any($skus)
    union
    select o.product_id from variants o where o.store_id = $store and o.barcode_key = any($barcodes)
  ) order by p.id`;
const variantsNamed = `select ${SOLD_COLUMNS('v')}
  from variants v join products p on p.store_id = v.store_id and p.id = v.product_id
  where v.store_id = $store and v.id in (
    select i.id from variants i where i.store_id = $store and i.id = any($ids::uuid[])
    union
    select s.id from variants s where s.store_id = $store and s.sku_key = any($skus::text[])
    union
    select b.id from variants b where b.store_id = $store and b.barcode_key = any($barcodes::text[])
  ) order by v.id`;

const ROW = { row: as<{ variants: NamedVariant[] }>() };

export const FIND_SOLD_PRODUCTS = statement('find_sold_products', productsNamed, ROW);
export const LOCK_SOLD_PRODUCTS = statement('lock_sold_products', `${productsNamed} for update of p`, ROW);
export const FIND_SOLD_VARIANTS = statement('find_sold_variants', variantsNamed);
export const LOCK_SOLD_VARIANTS = statement('lock_sold_variants', `${variantsNamed} for update of v`);

/** The products of the variants that `change` updates get a new version too. */
const ofVariants = (change: string) => `with changed as (${change} returning r.product_id)
  update products p set updated_at = ${versionAfter('p.updated_at', '$now')}
  from (select distinct product_id from changed) c where p.store_id = $store and p.id = c.product_id`;

/** The rows must already be locked. */
const setStock = (table: string) => `
  update ${table} r set item_amount = t.amount, updated_at = ${versionAfter('r.updated_at', '$now')}
  from unnest($ids::uuid[], $amounts::bigint[]) as t (id, amount) where r.store_id = $store and r.id = t.id`;

export const SET_PRODUCT_STOCKS = statement('set_product_stocks', setStock('products'));
export const SET_VARIANT_STOCKS = statement('set_variant_stocks', ofVariants(setStock('variants')));

/** The rows must already be locked. */
const setPrices = (table: string) => `
  update ${table} r set price = t.price, sale_price = t.sale_price, sale_until = t.sale_until,
    updated_at = ${versionAfter('r.updated_at', '$now')}
  from unnest($ids::uuid[], $prices::numeric[], $salePrices::numeric[], $saleUntils::timestamptz[])
    as t (id, price, sale_price, sale_until)
  where r.store_id = $store and r.id = t.id`;

export const SET_PRODUCT_PRICES = statement('set_product_prices', setPrices('products'));
export const SET_VARIANT_PRICES = statement('set_variant_prices', ofVariants(setPrices('variants')));
