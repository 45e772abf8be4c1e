import { systemStatement } from '../../platform/database/statement.js';

// For the system role: people may belong to any number of stores.

/** The most browsers per person. Those unused the longest are forgotten first. */
const MAX_PER_USER = 20;

export const REMEMBER = systemStatement(
  'remember_browser',
  `with others as (
    select token_hash from known_browsers where user_id = $userId and token_hash <> $browserHash
    order by last_used_at desc offset ${MAX_PER_USER - 1}),
  forgotten as (
    delete from known_browsers where user_id = $userId and token_hash in (select token_hash from others))
  insert into known_browsers (user_id, token_hash, last_used_at) values ($userId, $browserHash, $now)
  on conflict (user_id, token_hash) do update set last_used_at = excluded.last_used_at`,
);

export const RECOGNIZE = systemStatement(
  'recognize_browser',
  `select b.token_hash as hash from known_browsers b join users u on u.id = b.user_id
  where b.token_hash = $tokenHash and u.email_key = $emailKey`,
);

export const IS_OURS = systemStatement(
  'is_our_browser',
  `select from known_browsers where token_hash = $tokenHash limit 1`,
);
