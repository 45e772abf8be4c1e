import { columns } from '../../platform/database/columns.js';

// For the system role: people may belong to any number of stores.

export const FIND = `
  select ${columns(['id', 'tokenHash', 'userId', 'lastSeenAt'], 's')}, u.email, u.created_at as "userCreatedAt", m.role, st.currency
  from sessions s join users u on u.id = s.user_id
    left join store_members m on m.user_id = u.id and m.store_id = $4
    left join stores st on st.id = m.store_id
  where s.token_hash = $1 and s.created_at > $2 and s.last_seen_at > $3`;

/**
 * $1 sessions and $2 stores, as pairs: the positions of the pairs that are valid, with the role. $3 and $4 the times before
 * which they expired.
 */
export const OPEN = `
  select asked.place::integer, m.role from unnest($1::text[], $2::uuid[]) with ordinality as asked (token_hash, store_id, place)
  join sessions s on s.token_hash = asked.token_hash and s.created_at > $3 and s.last_seen_at > $4
  join store_members m on m.user_id = s.user_id and m.store_id = asked.store_id`;

/** $1 the user, $2 and $3 the times before which sessions expired, $4 how many may stay. */
export const CLEAR = `
  delete from sessions where user_id = $1 and (created_at <= $2 or last_seen_at <= $3
    or id in (select id from sessions where user_id = $1 order by created_at desc, id desc offset $4))`;

export const INSERT = `
  insert into sessions (token_hash, id, user_id, browser, address, created_at, last_seen_at) values ($1, $2, $3, $4, $5, $6, $6)`;

/** Returns no row if $2, the password that was checked, is no longer the account's. */
export const LOCK_PASSWORD = 'select from users where id = $1 and password_hash = $2 for no key update';

export const SEEN = 'update sessions set last_seen_at = $2 where token_hash = $1';

/** $2 the session of the call, $3 and $4 the times before which sessions expired. */
export const LIST = `
  select ${columns(['id', 'createdAt', 'browser', 'address'], 's')}, s.last_seen_at as "lastUsedAt", s.id = $2 as current
  from sessions s where s.user_id = $1 and s.created_at > $3 and s.last_seen_at > $4 order by s.last_seen_at desc, s.id desc`;

export const END = 'delete from sessions where token_hash = $1';
export const END_BY_ID = 'delete from sessions where user_id = $1 and id = $2 returning id';
export const END_OTHERS = 'delete from sessions where user_id = $1 and id <> $2 returning id';
export const END_ALL = 'delete from sessions where user_id = $1';
