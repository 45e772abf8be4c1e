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
