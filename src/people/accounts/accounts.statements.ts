import { columns } from '../../platform/database/columns.js';
import { systemStatement } from '../../platform/database/statement.js';
import { SUSPENSION } from '../../platform/store/call.js';

// For the system role: people may belong to any number of stores.

export const INSERT = systemStatement(
  'insert_user',
  `insert into users (id, email, email_key, password_hash, created_at, email_proven_at)
  values ($id, $email, $emailKey, $passwordHash, $now, $provenAt?)
  on conflict (email_key) do nothing returning id`,
);

export const FIND = systemStatement(
  'find_user',
  `select ${columns(['email', 'passwordHash'], 'u')}, u.id as "userId" from users u
   where u.email_key = $emailKey`,
);

/** Deletes an account that is not a member of any store. */
export const DISCARD = systemStatement(
  'discard_user',
  `delete from users u where u.id = $userId
    and not exists (select from store_members m where m.user_id = u.id)`,
);

export const SET_PASSWORD = systemStatement(
  'set_password',
  `update users set password_hash = $passwordHash where id = $userId`,
);

/** Returns a row for the first proof of the address. */
export const PROVE = systemStatement(
  'prove_address',
  `update users set email_proven_at = $now where id = $userId and email_proven_at is null returning id`,
);

/** `$kept` is the hash of the token of the session that stays. */
export const END_SESSIONS = systemStatement(
  'end_sessions_but_one',
  `delete from sessions where user_id = $userId and token_hash is distinct from $kept?`,
);

/** `$kept` is the hash of the cookie of the browser that stays. */
export const FORGET_BROWSERS = systemStatement(
  'forget_browsers_but_one',
  `delete from known_browsers where user_id = $userId and token_hash is distinct from $kept?`,
);

export const DELETE_RESETS = systemStatement(
  'delete_password_resets',
  `delete from password_resets where user_id = $userId`,
);

export const END_CHATS = systemStatement('end_chats', `delete from notice_chats where user_id = $userId`);

export const END_GRANTS = systemStatement('end_grants', `delete from oauth_grants where user_id = $userId`);

export const SHOW = systemStatement(
  'show_user',
  `select ${columns(['id', 'email', 'createdAt', 'emailProvenAt'], 'u')},
    exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
      as "secondFactor!",
    (select count(*)::int from sessions s where s.user_id = u.id) as "sessions!"
  from users u where u.email_key = $emailKey`,
);

/** The stores of a user, newest first. */
export const LIST_STORES = systemStatement(
  'list_stores_of_user',
  `select ${columns(['id', 'name', 'currency', 'plan', 'createdAt', ...SUSPENSION], 's')},
    s.time_zone as "timeZone", s.language, s.accent,
    (select g.logo_url from store_settings g where g.store_id = s.id) as "logoUrl",
    s.first_sale_hidden as "isFirstSaleHidden", m.role, m.groups
  from store_members m join stores s on s.id = m.store_id where m.user_id = $userId order by s.id desc`,
);
