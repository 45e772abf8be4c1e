import {
  CLOSED_CATEGORIES,
  inOpenCategory,
  PRODUCT_BYTES,
  VARIANTS_BYTES,
} from '../../groups/products/product.statements.js';
import { hasSale, salePriceOf, saleUntilOf, saleUntilText } from '../../groups/products/sale.statements.js';
import { columns } from '../../platform/database/columns.js';
import { withinBytes } from '../../platform/schema/pages/page.js';
import { as, statement } from '../../platform/database/statement.js';
import { CatalogBrand, CatalogCategory, CatalogProduct } from './storefront.dto.js';

export const FIND_SHOPPER = statement(
  'find_shopper',
  `select ${columns(['id', 'username', 'firstName', 'lastName', 'isBanned', 'bonusBalance'], 'c')}
   from customers c where c.store_id = $store and c.id = $customerId`,
);

/** A linked brand or category is called by its name, whatever the product's own text says. */
const NAMES_SHOWN = `coalesce((
      select b.name from brands b where b.store_id = $store and b.id = p.brand_id), p.brand) as brand,
    coalesce((
      select k.name from categories k where k.store_id = $store and k.id = p.category_id), p.category
    ) as category`;

/** With its variants product `p` is on sale, too: from the lowest sale price, if that is below its own. */
const SALE_SHOWN = `coalesce(${salePriceOf('p')}, (select min(s.sale_price) from variants s
      where s.store_id = p.store_id and s.product_id = p.id and ${hasSale('s')}
      having min(s.sale_price) < p.price)) as "salePrice"`;

/** SQL of what is shown of product `p`. Variants are grouped, in the order in which they are shown. */
export const CATALOG_COLUMNS = `${columns(CatalogProduct, 'p', [
  ...(['salePrice', 'saleUntil', 'variants', 'brand', 'category'] as const),
])}, ${SALE_SHOWN}, ${saleUntilOf('p')} as "saleUntil",
     ${NAMES_SHOWN}, (
       select coalesce(json_agg(json_build_object('optionTitle', g.title, 'values', g.items)
         order by g.sort, g.first), '[]')
       from (
         select v.option_title as title, min(v.sort_order) as sort,
           (array_agg(v.id order by v.sort_order, v.id))[1] as first,
           json_agg(json_build_object('id', v.id, 'variantValue', v.variant_value, 'price', v.price,
             'salePrice', ${salePriceOf('v')}, 'saleUntil', ${saleUntilText('v')},
             'itemAmount', v.item_amount, 'sortOrder', v.sort_order)
             order by v.sort_order, v.id) as items
         from variants v where v.store_id = p.store_id and v.product_id = p.id group by v.option_title
       ) g
     ) as "variants!"`;

export const LIST_CATALOG = statement(
  'list_catalog',
  `select ${CATALOG_COLUMNS}, p."rowsRead"
   from ${withinBytes(
     `select p.* from products p where p.store_id = $store and p.id < $idBelow::uuid and not p.is_hidden
       and ${inOpenCategory('p')} order by p.id desc limit $take`,
     `${PRODUCT_BYTES} + ${VARIANTS_BYTES}`,
   )} p order by p.id desc`,
  { row: as<{ variants: CatalogProduct['variants'] }>() },
);

/** SQL for the approximate size in bytes of a row `r` with these texts. */
const bytesOf = (...names: string[]) =>
  `200 + ${names.map((name) => `coalesce(octet_length(r.${name}), 0)`).join(' + ')}`;

/** The lists of brands and of categories have no pages; each is cut after the first megabyte. */
export const LIST_ACTIVE_BRANDS = statement(
  'list_active_brands',
  `select ${columns(CatalogBrand, 'b')} from ${withinBytes(
    'select b.* from brands b where b.store_id = $store and b.is_active',
    bytesOf('name', 'slug', 'description', 'logo_url', 'website_url'),
    'r.name, r.id',
  )} b order by b.name, b.id`,
);

export const LIST_ACTIVE_CATEGORIES = statement(
  'list_active_categories',
  `select ${columns(CatalogCategory, 'k')} from ${withinBytes(
    `select k.* from categories k where k.store_id = $store and k.id not in (${CLOSED_CATEGORIES})`,
    bytesOf('name', 'slug', 'description', 'image_url'),
    'r.sort_order, r.id desc',
  )} k order by k.sort_order, k.id desc`,
);

/**
 * Claims the key of a shopper for an order. A key from before `$oldest` can be claimed again. Waits for a
 * concurrent order with the key. Returns no row if the key is already in use.
 */
export const CLAIM_KEY = statement(
  'claim_order_key',
  `insert into order_keys as k (store_id, customer_id, key, input_hash, created_at)
   values ($store, $customerId, $key, $inputHash, $now)
   on conflict (store_id, customer_id, key)
   do update set input_hash = $inputHash, order_id = null, created_at = $now
     where k.created_at <= $oldest
   returning 1`,
);

export const FIND_KEY = statement(
  'find_order_key',
  `select k.input_hash as "inputHash", k.order_id as kept from order_keys k
   where k.store_id = $store and k.customer_id = $customerId and k.key = $key`,
);

export const SETTLE_KEY = statement(
  'settle_order_key',
  `update order_keys set order_id = $orderId
   where store_id = $store and customer_id = $customerId and key = $key`,
);

/** Deletes keys that were created at `$oldest` or earlier: a few at a time, and none that is locked. */
export const PURGE_KEYS = statement(
  'purge_order_keys',
  `delete from order_keys k using (
     select o.customer_id, o.key from order_keys o where o.store_id = $store and o.created_at <= $oldest
     limit 100 for update skip locked
   ) old where k.store_id = $store and k.customer_id = old.customer_id and k.key = old.key`,
);
