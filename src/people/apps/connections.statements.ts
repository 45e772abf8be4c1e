import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';

/** Locks a person in a store, so that the number of their grants stays correct. */
export const LOCK = statement(
  'lock_grants',
  `select pg_advisory_xact_lock(hashtextextended('oauth_grants:' || $1::text || ':' || $2::text, 0))`,
);

/**
 * Makes room for one more grant of the person. Deletes the grants beyond $4, those unused the longest first,
 * and the grants of client $3 if that is a single installation.
 */
export const MAKE_ROOM = statement(
  'make_room_for_grant',
  `delete from oauth_grants where store_id = $1 and user_id = $2 and (client_id = $3 or id in (
     select id from oauth_grants where store_id = $1 and user_id = $2
     order by coalesce(last_used_at, created_at) desc, id desc offset $4))
   returning id`,
);

export const INSERT = statement(
  'insert_grant',
  `insert into oauth_grants (store_id, id, user_id, client_id, client_name, client_host, redirect_host, scope, resource, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

/** $3 limits it to one person's grants, unless it is null. */
export const REMOVE = statement(
  'remove_grant',
  `delete from oauth_grants where store_id = $1 and id = $2 and ($3::uuid is null or user_id = $3)
   returning client_name as "appName", scope`,
);

/**
 * For the system role, because a store cannot see people's addresses. $2 limits it to one person's, unless it
 * is null; $3 now.
 */
export const LIST = `
  select ${columns(['id', 'redirectHost', 'userId', 'scope', 'resource', 'createdAt', 'lastUsedAt', 'expiresAt'], 'g')},
    g.client_name as "appName", g.client_host as "appHost", u.email
  from oauth_grants g join users u on u.id = g.user_id
  where g.store_id = $1 and ($2::uuid is null or g.user_id = $2) and g.expires_at > $3 order by g.id desc`;

/** For the system role, because a token does not name its store. $2 now. */
export const FIND = `
  select g.store_id as "storeId", ${columns(['id', 'userId', 'clientId', 'scope', 'resource', 'createdAt', 'expiresAt'], 'g')},
    g.client_name as "appName", s.currency, u.email
  from oauth_grants g join stores s on s.id = g.store_id join users u on u.id = g.user_id where g.id = $1 and g.expires_at > $2`;

/** For the system role. */
export const FIND_OF_CLIENT = `select id from oauth_grants where client_id = $1 or client_host = $1`;
