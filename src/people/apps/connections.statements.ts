import { columns } from '../../platform/database/columns.js';
import type { DailyLimits } from '../../platform/store/call.js';
import { as, statement, systemStatement } from '../../platform/database/statement.js';

const GRANT = columns(['id', 'userId', 'scope', 'groups', 'resource', 'createdAt', 'expiresAt'], 'g');

/** Locks a person in a store, so that the number of their grants stays correct. */
export const LOCK = statement(
  'lock_grants',
  `select pg_advisory_xact_lock(
     hashtextextended('oauth_grants:' || $store::text || ':' || $userId::text, 0))`,
);

/**
 * Makes room for one more grant of the person. Deletes the grants beyond the most that may stay, those unused
 * the longest first, and those of the installation, if the client is one.
 */
export const MAKE_ROOM = statement(
  'make_room_for_grant',
  `delete from oauth_grants where store_id = $store and user_id = $userId
   and (client_id = $installation? or id in (
     select id from oauth_grants where store_id = $store and user_id = $userId
     order by coalesce(last_used_at, created_at) desc, id desc offset $most))`,
);

export const INSERT = statement(
  'insert_grant',
  `insert into oauth_grants (store_id, id, user_id, client_id, client_name, client_host, redirect_host, scope,
     groups, declined, asked_scopes, asks_first, daily_limits, resource, created_at, expires_at)
   values ($store, $id, $userId, $clientId, $appName, $appHost?, $redirectHost, $scope,
     $groups?, $declined, $askedScopes, $asksFirst, $limits?, $resource, $now, $expiresAt)`,
);

/** `$userId` limits it to one person's grants, unless it is null. */
export const REMOVE = statement(
  'remove_grant',
  `delete from oauth_grants where store_id = $store and id = $id
     and ($userId?::uuid is null or user_id = $userId)
   returning client_name as "appName", scope`,
);

export const LIST_ADMIN_OF = statement(
  'list_admin_grants_of',
  `select id, client_name as "appName" from oauth_grants
   where store_id = $store and user_id = $userId and scope = 'admin' and expires_at > $now order by id desc`,
);

/**
 * For the system role, because a store cannot see people's addresses. `$userId` limits it to one person's,
 * unless it is null.
 */
export const LIST = systemStatement(
  'list_grants',
  `select ${GRANT}, ${columns(['redirectHost', 'lastUsedAt', 'dailyLimits'], 'g')},
    g.client_name as "appName", g.client_host as "appHost", u.email
  from oauth_grants g join users u on u.id = g.user_id
  where g.store_id = $storeId and ($userId?::uuid is null or g.user_id = $userId) and g.expires_at > $now
  order by g.id desc`,
  { row: as<{ dailyLimits: DailyLimits | null }>() },
);

/** For the system role, because a token does not name its store. */
export const FIND = systemStatement(
  'find_grant',
  `select ${GRANT}, ${columns(['clientId', 'askedScopes'], 'g')}, g.store_id as "storeId",
    g.client_name as "appName",
    s.currency, u.email, m.role
  from oauth_grants g join stores s on s.id = g.store_id join users u on u.id = g.user_id
    join store_members m on m.store_id = g.store_id and m.user_id = g.user_id
  where g.id = $id and g.expires_at > $now`,
);

/** For the system role, because it is of all stores of the person. */
export const LAST_GRANT = systemStatement(
  'get_last_grant_of_client',
  `select g.daily_limits as limits, g.scope, g.groups, g.declined, g.asks_first as "asksFirst",
    g.expires_at > $now as "isLive", s.currency, s.name as "storeName"
  from oauth_grants g join stores s on s.id = g.store_id
  where g.client_id = $clientId and g.user_id = $userId order by g.id desc limit 1`,
  { row: as<{ limits: DailyLimits | null }>() },
);

/** For the system role. */
export const FIND_OF_CLIENT = systemStatement(
  'find_grants_of_client',
  `select id from oauth_grants where client_id = $client or client_host = $client`,
);
