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
