import { withinBytes } from '../../platform/schema/page.js';
import { statement } from '../../platform/database/statement.js';

/**
 * $2 the id to stay below, $3 how many, $4 and $5 filters or null. Ids rise with time. A target is found by `kind:id` and by its id
 * alone; rows of earlier versions hold the id alone, and are found by both.
 */
export const LIST_AUDIT = statement(
  'list_audit',
  `select a.id, a.at, json_build_object('kind', a.actor_kind, 'id', a.actor_id, 'name', a.actor_name) as actor, a.operation,
     a.transport, a.action, a.target, a.input, a.changes, a.outcome, a.request_id as "requestId", a."rowsRead"
   from ${withinBytes(
     `select a.* from audit_log a where a.store_id = $1 and a.id < $2
     and ($4::text is null or a.operation = $4) and ($5::text is null or a.target = $5
       or substr(a.target, strpos(a.target, ':') + 1) = $5 or a.target = substr($5, strpos($5, ':') + 1))
   order by a.id desc limit $3`,
     'pg_column_size(r.input) + coalesce(pg_column_size(r.changes), 0)',
   )} a order by a.id desc`,
  { slow: true },
);
