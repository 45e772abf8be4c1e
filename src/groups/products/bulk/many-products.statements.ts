import { columns } from '../../../platform/database/columns.js';
import { as, statement } from '../../../platform/database/statement.js';
import { versionAfter } from '../../../platform/store/version.js';
import { Product } from '../product.entity.js';
import { VARIANTS_NAMED } from '../product.statements.js';
import { saleColumns } from '../sale.statements.js';
import type { NamedVariant } from '../sale-warnings.js';
import { Variant } from '../variants/variant.entity.js';

/**
 * Locks those of the given ids that are brands or categories of the store, before the products are locked, so
 * that none is deleted before a product refers to it.
 */
export const LOCK_LINKED = statement(
  'lock_linked',
  `select l.id as "id!" from (
     select b.id from brands b where b.store_id = $store and b.id = any($ids::uuid[])
     order by b.id for key share
   ) l
   union all
   select l.id from (
     select k.id from categories k where k.store_id = $store and k.id = any($ids::uuid[])
     order by k.id for key share
   ) l`,
);

/** The columns of a product that are written; the external id never changes. */
const WRITTEN = `title, description, images, price, sale_price, sale_until, item_amount, is_hidden, brand,
  category, sub_category, tags, shipping_time, season, brand_id, category_id, sku, barcode`;

/**
 * Inserts the products of which the store has none with that external id, and returns those. They are
 * inserted in the order of these ids, so that two calls with the same products cannot deadlock.
 */
export const INSERT_PRODUCTS = statement(
  'insert_products',
  `insert into products (store_id, id, product_id, ${WRITTEN}, created_at, updated_at)
   select $store::uuid, id, product_id, ${WRITTEN}, $now::timestamptz, $now::timestamptz
   from json_populate_recordset(null::products, $rows) order by product_id
   on conflict do nothing returning id`,
);

const OF_SALE = ['salePrice', 'saleUntil'] as const;
const TIMES = ['createdAt', 'updatedAt', 'movedAt', 'editedAt'] as const;
const PRODUCT = `${columns(Product, 'p', [...TIMES, ...OF_SALE, 'productKey'])}, ${saleColumns('p')}`;
const VARIANT = `${columns(Variant, 'v', [...TIMES, ...OF_SALE])}, ${saleColumns('v')}`;

/** Locked by id, as by orders; variants come after. */
export const LOCK_PRODUCTS_WITH_IDS = statement(
  'lock_products_with_ids',
  `select ${PRODUCT}, ${VARIANTS_NAMED} as "named!" from products p
   where p.store_id = $store and p.id in (
     select i.id from products i where i.store_id = $store and i.id = any($ids::uuid[])
     union
     select e.id from products e where e.store_id = $store and e.product_key = any($externalKeys::text[])
   ) order by p.id for update of p`,
  { row: as<{ named: NamedVariant[] }>() },
);

export const LOCK_VARIANTS_OF = statement(
  'lock_variants_of',
  `select ${VARIANT} from variants v
   where v.store_id = $store and v.product_id = any($productIds::uuid[]) order by v.id for update`,
);

/** The rows must be locked. Each product gets a new version. */
export const UPDATE_PRODUCTS = statement(
  'update_products',
  `update products p set (${WRITTEN}) = row (${WRITTEN.replace(/\w+/g, 'r.$&')}),
     updated_at = ${versionAfter('p.updated_at', '$now')}
   from json_populate_recordset(null::products, $rows) r where p.store_id = $store and p.id = r.id`,
);

export const ADD_VARIANTS = statement(
  'add_variants',
  `insert into variants (store_id, id, product_id, option_title, variant_value, price, sale_price,
     item_amount, sort_order, sku, barcode, created_at, updated_at)
   select $store::uuid, id, product_id, option_title, variant_value, price, sale_price, item_amount,
     sort_order, sku, barcode, $now::timestamptz, $now::timestamptz
   from json_populate_recordset(null::variants, $rows)`,
);

/** The rows must be locked. */
export const UPDATE_VARIANTS = statement(
  'update_variants',
  `update variants v set (price, sale_price, sale_until, item_amount, sort_order, sku, barcode) =
       row (r.price, r.sale_price, r.sale_until, r.item_amount, r.sort_order, r.sku, r.barcode),
     updated_at = ${versionAfter('v.updated_at', '$now')}
   from json_populate_recordset(null::variants, $rows) r where v.store_id = $store and v.id = r.id`,
);
