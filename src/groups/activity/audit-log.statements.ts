import { withinBytes } from '../../platform/schema/pages/page.js';
import { as, statement } from '../../platform/database/statement.js';
import type { ActorRecord } from './audit.dto.js';

/**
 * Filters that are null are not set. `$bareId` is the target as in rows of earlier versions (the id alone). A
 * target without a kind matches every kind.
 */
const FILTER = `a.store_id = $store and a.id < $idBelow::uuid and a.id >= $lowestId::uuid
  and ($operation?::text is null or a.operation = $operation)
  and ($target?::text is null or a.target = $target or a.target = $bareId?
    or (strpos($target, ':') = 0 and substr(a.target, strpos(a.target, ':') + 1) = $target))
  and ($targetKind?::text is null
    or (split_part(a.target, ':', 1) = $targetKind and strpos(a.target, ':') > 0))
  and ($actorId?::text is null or a.actor_id = $actorId) and ($outcome?::text is null or a.outcome = $outcome)
  and ($only?::text[] is null or (a.operation = any($only) and (a.operation <> 'undo_change'
    or a.target like 'store:%' or 'delete_' || split_part(a.target, ':', 1) = any($only))))
  and a.at >= $from::timestamptz and a.at <= $to::timestamptz`;

const list = (and = '') => `
  select a.id, a.at,
    json_build_object('kind', a.actor_kind, 'id', a.actor_id, 'name', a.actor_name) as "actor!", a.operation,
    a.transport, a.action, a.target,
    case when strpos(a.target, ':') > 0 then split_part(a.target, ':', 1) end as "targetKind",
    a.input, a.changes, a.outcome, a.request_id as "requestId", a."rowsRead"
  from ${withinBytes(
    `select a.* from audit_log a where ${FILTER} ${and} order by a.id desc limit $take`,
    'pg_column_size(r.input) + coalesce(pg_column_size(r.changes), 0)',
  )} a order by a.id desc`;
const LISTED = {
  slow: true,
  row: as<{ actor: ActorRecord; input: object; changes: object | null }>(),
};

/** Reads rows in the order of their ids. */
export const LIST_ALL = statement('list_audit', list(), LISTED);

/**
 * Rows about one record, where the target has a kind. The conditions repeat those of the two partial indexes
 * of targets.
 */
export const LIST_OF_TARGET = statement(
  'list_audit_of_target',
  list(`and ((a.target = $target and a.target like 'order:%')
    or (a.target = $target and a.target not like 'order:%')
    or (a.target = $bareId and a.target not like 'order:%'))`),
  LISTED,
);

/** Rows about one kind of record, except orders: most rows are about orders, so the index leaves them out. */
export const LIST_OF_KIND = statement(
  'list_audit_of_kind',
  list(`and split_part(a.target, ':', 1) = $targetKind and a.target not like 'order:%'`),
  LISTED,
);

/**
 * Whether the actor is a person with rows in the log. Most rows are of tokens, which are found in the order
 * of the ids.
 */
export const IS_PERSON = statement(
  'is_person_of_audit',
  `select from audit_log a
   where a.store_id = $store and a.actor_id = $actorId and a.actor_kind = 'user' limit 1`,
);

export const LIST_OF_PERSON = statement(
  'list_audit_of_person',
  list(`and a.actor_id = $actorId and a.actor_kind = 'user'`),
  LISTED,
);

export const LIST_REFUSED = statement('list_audit_refused', list(`and a.outcome = 'forbidden'`), LISTED);

/**
 * The possible actors of the log: its people, each found by one step along the index; tokens, including
 * revoked ones; and connected apps. Each has its latest name.
 */
export const LIST_ACTORS = statement(
  'list_audit_actors',
  `with recursive people as (
     (select a.actor_id as id from audit_log a where a.store_id = $store and a.actor_kind = 'user'
      order by a.actor_id limit 1)
     union all
     select (select a.actor_id from audit_log a where a.store_id = $store and a.actor_kind = 'user'
       and a.actor_id > p.id order by a.actor_id limit 1)
     from people p where p.id is not null
   ), actors as (
     select 'user' as kind, p.id, n.name from people p cross join lateral (
       select a.actor_name as name from audit_log a
       where a.store_id = $store and a.actor_kind = 'user' and a.actor_id = p.id
       order by a.id desc limit 1
     ) n where p.id is not null
     union all select 'token', t.id::text, t.name from api_tokens t where t.store_id = $store
     union all select 'client', g.id::text, g.client_name from oauth_grants g where g.store_id = $store
   ) select kind as "kind!", id as "id!", name as "name!" from actors
   order by array_position(array['user', 'client', 'token'], kind), lower(name), id limit 1000`,
);
