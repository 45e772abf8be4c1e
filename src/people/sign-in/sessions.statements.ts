import { columns } from '../../platform/database/columns.js';
import { systemStatement } from '../../platform/database/statement.js';
import { SUSPENSION } from '../../platform/store/call.js';

// For the system role: people may belong to any number of stores. A session expires when it began before
// `$oldest`, or was last used before `$idle`.

export const FIND = systemStatement(
  'find_session',
  `select ${columns(['id', 'tokenHash', 'userId', 'lastSeenAt'], 's')},
    u.email, u.created_at as "userCreatedAt", m.role, m.groups, st.currency,
    ${columns(SUSPENSION, 'st')}
  from sessions s join users u on u.id = s.user_id
    left join store_members m on m.user_id = u.id and m.store_id = $storeId?
    left join stores st on st.id = m.store_id
  where s.token_hash = $tokenHash and s.created_at > $oldest and s.last_seen_at > $idle`,
);

/** The positions of those pairs of session and store that are valid, with the role. */
export const OPEN = systemStatement(
  'open_sessions',
  `select asked.place::integer as "place!", m.role, m.groups
  from unnest($tokenHashes::text[], $storeIds::uuid[]) with ordinality as asked (token_hash, store_id, place)
  join sessions s on s.token_hash = asked.token_hash and s.created_at > $oldest and s.last_seen_at > $idle
  join store_members m on m.user_id = s.user_id and m.store_id = asked.store_id
  join stores st on st.id = m.store_id and st.suspended_at is null`,
);

/** Deletes the sessions that expired, and the oldest beyond the most that may stay. */
export const CLEAR = systemStatement(
  'clear_sessions',
  `delete from sessions where user_id = $userId and (created_at <= $oldest or last_seen_at <= $idle
    or id in (
      select id from sessions where user_id = $userId order by created_at desc, id desc offset $most))`,
);

export const INSERT = systemStatement(
  'insert_session',
  `insert into sessions (token_hash, id, user_id, browser, address, created_at, last_seen_at)
  values ($tokenHash, $id, $userId, $browser?, $address?, $now, $now)`,
);

/** Returns no row if the password that was checked is no longer the account's. */
export const LOCK_PASSWORD = systemStatement(
  'lock_password',
  `select from users where id = $userId and password_hash = $passwordHash for no key update`,
);

export const SEEN = systemStatement(
  'see_session',
  `update sessions set last_seen_at = $now where token_hash = $tokenHash`,
);

export const LIST = systemStatement(
  'list_sessions',
  `select ${columns(['id', 'createdAt', 'browser', 'address'], 's')},
    s.last_seen_at as "lastUsedAt", s.id = $id as "current!"
  from sessions s where s.user_id = $userId and s.created_at > $oldest and s.last_seen_at > $idle
  order by s.last_seen_at desc, s.id desc`,
);

export const END = systemStatement('end_session', `delete from sessions where token_hash = $tokenHash`);
export const END_BY_ID = systemStatement(
  'end_session_by_id',
  `delete from sessions where user_id = $userId and id = $id returning id`,
);
export const END_OTHERS = systemStatement(
  'end_other_sessions',
  `delete from sessions where user_id = $userId and id <> $id returning id`,
);
export const END_ALL = systemStatement('end_all_sessions', `delete from sessions where user_id = $userId`);
