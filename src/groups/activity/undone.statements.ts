import { as, statement } from '../../platform/database/statement.js';
import type { AuditDraft } from '../../platform/store/store-context.js';

export type Changes = NonNullable<AuditDraft['changes']>;

export const FIND_ACTIVITY = statement(
  'find_activity',
  `select at, actor_kind as "actorKind", actor_id as "actorId", operation, target as "target!", input,
     changes, outcome, undone_at as "undoneAt"
   from audit_log where store_id = $store and id = $id for update`,
  { row: as<{ input: Record<string, unknown>; changes: Changes | null }>() },
);

export const MARK_UNDONE = statement(
  'mark_undone',
  'update audit_log set undone_at = $now where store_id = $store and id = $id',
);

/** What is sold is locked as by orders: the products first, also those of the variants, then the variants. */
export const LOCK_PRODUCT_STOCK = statement(
  'lock_product_stock',
  `select p.id, p.item_amount::float8 as "itemAmount" from products p
   where p.store_id = $store and p.id in (
     select i.id from products i where i.store_id = $store and i.id = any($ids::uuid[])
     union
     select o.product_id from variants o where o.store_id = $store and o.id = any($variantIds::uuid[])
   ) order by p.id for update of p`,
);

export const LOCK_VARIANT_STOCK = statement(
  'lock_variant_stock',
  `select v.id, v.item_amount::float8 as "itemAmount" from variants v
   where v.store_id = $store and v.id = any($variantIds::uuid[]) order by v.id for update`,
);

/**
 * The lines of orders that held something of what is sold until it was no longer tracked, and what each would
 * hold of it again: the first lines first, because those of an order may have changed since.
 */
const RESUMING = `(select i.order_id, i.position, least(i.quantity, greatest(0, (h->>1)::bigint + i.quantity
      - sum(i.quantity) over (partition by i.order_id order by i.position))) as pieces
    from json_array_elements($holdings::json) h
    join order_items i on i.store_id = $store and i.order_id = (h->>0)::bigint and i.stock_taken = 0
      and coalesce(i.catalog_variant_id, i.catalog_product_id) = $soldId
    join orders o on o.store_id = $store and o.id = i.order_id and o.status <> 'CANCELLED') r`;

/**
 * How many pieces these lines would hold, and whether orders need more of it than they held: those placed
 * since, changed since, or opened again since.
 */
export const FIND_RESUMING = statement(
  'find_resuming',
  `select (select coalesce(sum(r.pieces), 0)::float8 from ${RESUMING}) as "pieces!",
     exists (select from products p
       join order_items i on i.store_id = $store and i.product_id = p.product_id
         and coalesce(i.catalog_variant_id, i.catalog_product_id) = $soldId and i.stock_taken = 0
       join orders o on o.store_id = $store and o.id = i.order_id and o.status <> 'CANCELLED'
         and (o.created_at >= $since or exists (select from audit_log a
           where a.store_id = $store and a.target like 'order:%' and a.target = 'order:' || o.id
             and a.at >= $since
             and (a.operation = 'order.change_items' or a.changes->'status'->>0 = 'CANCELLED')))
       left join json_array_elements($holdings::json) h on (h->>0)::bigint = o.id
       where p.store_id = $store and p.id = coalesce(
         (select v.product_id from variants v where v.store_id = $store and v.id = $soldId), $soldId)
       group by o.id having sum(i.quantity) > coalesce(max((h->>1)::bigint), 0)
     ) as "isSoldSince!"`,
);

export const RESUME_HOLDINGS = statement(
  'resume_holdings',
  `update order_items l set stock_taken = r.pieces from ${RESUMING}
   where l.store_id = $store and l.order_id = r.order_id and l.position = r.position`,
);
