import { withinBytes } from '../../platform/schema/page.js';
import { type Statement, statement } from '../../platform/database/statement.js';

/**
 * $2 the id to stay below, $3 how many, $4 the id to begin at; the rest null unless asked: $5 operation, $6 a target, $7 the same as rows
 * of earlier versions have it (the id alone), $8 the kind of target, $9 actor, $10 outcome, $11 and $12 the bounds of the time. A target
 * that is given without its kind is found whatever its kind is.
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

/** Along the ids. */
export const LIST_ALL = list('');

/** About one record, $6 with its kind. The conditions are those of the two indexes of targets. */
export const LIST_OF_TARGET = list(
  '_of_target',
  `and ((a.target = $6 and a.target like 'order:%') or (a.target = $6 and a.target not like 'order:%')
    or (a.target = $7 and a.target not like 'order:%'))`,
);

/** About one kind of records, but for orders, which most rows are about. */
export const LIST_OF_KIND = list('_of_kind', `and split_part(a.target, ':', 1) = $8 and a.target not like 'order:%'`);

/** Whether $2 is a person who did something here. What tokens do is most of the log, and is found along the ids. */
export const IS_PERSON = statement(
  'is_person_of_audit',
  `select from audit_log a where a.store_id = $1 and a.actor_id = $2 and a.actor_kind = 'user' limit 1`,
);

export const LIST_OF_PERSON = list('_of_person', `and a.actor_id = $9 and a.actor_kind = 'user'`);

export const LIST_REFUSED = list('_refused', `and a.outcome = 'forbidden'`);

/**
 * Who may have done something here: the people of the log, each found by one step along its index; tokens, also revoked ones; and the apps
 * that are let in. Everybody by the name they had last.
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
