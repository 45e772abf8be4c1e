import { withinBytes } from '../../../platform/schema/pages/page.js';
import { type Statement, statement } from '../../../platform/database/statement.js';

/**
 * $2 the id below which the page begins, $3 the limit, $4 the lowest id. The other parameters are filters,
 * null if they are not set: $5 operation, $6 target, $7 the target as in rows of earlier versions (the id
 * alone), $8 kind of target, $9 actor, $10 outcome. $11 and $12 are the bounds of the time. A target without
 * a kind matches every kind.
 */
const FILTER = `a.store_id = $1 and a.id < $2::uuid and a.id >= $4::uuid
  and ($5::text is null or a.operation = $5)
  and ($6::text is null or a.target = $6 or a.target = $7 or (strpos($6, ':') = 0 and substr(a.target, strpos(a.target, ':') + 1) = $6))
  and ($8::text is null or (split_part(a.target, ':', 1) = $8 and strpos(a.target, ':') > 0))
  and ($9::text is null or a.actor_id = $9) and ($10::text is null or a.outcome = $10)
  and a.at >= $11::timestamptz and a.at <= $12::timestamptz`;

const list = (name: string, and = ''): Statement =>
  statement(
    `list_audit${name}`,
    `select a.id, a.at, json_build_object('kind', a.actor_kind, 'id', a.actor_id, 'name', a.actor_name) as actor, a.operation,
       a.transport, a.action, a.target, case when strpos(a.target, ':') > 0 then split_part(a.target, ':', 1) end as "targetKind",
       a.input, a.changes, a.outcome, a.request_id as "requestId", a."rowsRead"
     from ${withinBytes(
       `select a.* from audit_log a where ${FILTER} ${and} order by a.id desc limit $3`,
       'pg_column_size(r.input) + coalesce(pg_column_size(r.changes), 0)',
     )} a order by a.id desc`,
    { slow: true },
  );

/** Reads rows in the order of their ids. */
export const LIST_ALL = list('');

/**
 * Rows about one record, where $6 has a kind. The conditions repeat those of the two partial indexes of
 * targets.
 */
export const LIST_OF_TARGET = list(
  '_of_target',
  `and ((a.target = $6 and a.target like 'order:%') or (a.target = $6 and a.target not like 'order:%')
    or (a.target = $7 and a.target not like 'order:%'))`,
);

/** Rows about one kind of record, except orders: most rows are about orders, so the index leaves them out. */
export const LIST_OF_KIND = list(
  '_of_kind',
  `and split_part(a.target, ':', 1) = $8 and a.target not like 'order:%'`,
);

/**
 * Whether $2 is a person with rows in the log. Most rows are of tokens, which are found in the order of the
 * ids.
 */
export const IS_PERSON = statement(
  'is_person_of_audit',
  `select from audit_log a where a.store_id = $1 and a.actor_id = $2 and a.actor_kind = 'user' limit 1`,
);

export const LIST_OF_PERSON = list('_of_person', `and a.actor_id = $9 and a.actor_kind = 'user'`);

export const LIST_REFUSED = list('_refused', `and a.outcome = 'forbidden'`);

/**
 * The possible actors of the log: its people, each found by one step along the index; tokens, including
 * revoked ones; and connected apps. Each has its latest name.
 */
export const LIST_ACTORS = statement(
  'list_audit_actors',
  `with recursive people as (
     (select a.actor_id as id from audit_log a where a.store_id = $1 and a.actor_kind = 'user' order by a.actor_id limit 1)
     union all
     select (select a.actor_id from audit_log a where a.store_id = $1 and a.actor_kind = 'user' and a.actor_id > p.id
       order by a.actor_id limit 1)
     from people p where p.id is not null
   ), actors as (
     select 'user' as kind, p.id, n.name from people p cross join lateral (
       select a.actor_name as name from audit_log a where a.store_id = $1 and a.actor_kind = 'user' and a.actor_id = p.id
       order by a.id desc limit 1
     ) n where p.id is not null
     union all select 'token', t.id::text, t.name from api_tokens t where t.store_id = $1
     union all select 'client', g.id::text, g.client_name from oauth_grants g where g.store_id = $1
   ) select kind, id, name from actors order by array_position(array['user', 'client', 'token'], kind), lower(name), id limit 1000`,
);
