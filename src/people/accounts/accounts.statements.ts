import { columns } from '../../platform/database/columns.js';

// For the system role: people may belong to any number of stores.

export const INSERT = `
  insert into users (id, email, password_hash, created_at) values ($1, $2, $3, $4) on conflict (email) do nothing returning id`;

export const FIND = `select ${columns(['email', 'passwordHash'], 'u')}, u.id as "userId" from users u where u.email = $1`;

/** Deletes an account that is not a member of any store. */
export const DISCARD = `
  delete from users u where u.id = $1 and not exists (select from store_members m where m.user_id = u.id)`;

export const SET_PASSWORD = 'update users set password_hash = $2 where id = $1';

/** $2 the one to keep: the hash of a session's token, or of a browser's cookie. */
export const END_SESSIONS = 'delete from sessions where user_id = $1 and token_hash is distinct from $2';
export const FORGET_BROWSERS =
  'delete from known_browsers where user_id = $1 and token_hash is distinct from $2';
export const DELETE_RESETS = 'delete from password_resets where user_id = $1';

export const END_GRANTS = 'delete from oauth_grants where user_id = $1';

/** The stores of a user, newest first. */
export const LIST_STORES = `
  select ${columns(['id', 'name', 'currency', 'plan', 'createdAt'], 's')}, m.role
  from store_members m join stores s on s.id = m.store_id where m.user_id = $1 order by s.id desc`;
