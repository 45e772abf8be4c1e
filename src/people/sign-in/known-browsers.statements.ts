// For the system role: people may belong to any number of stores.

/** The most browsers per person. Those unused the longest are forgotten first. */
const MAX_PER_USER = 20;

export const REMEMBER = `
  with others as (select token_hash from known_browsers where user_id = $1 and token_hash <> $2 order by last_used_at desc offset ${MAX_PER_USER - 1}),
  forgotten as (delete from known_browsers where user_id = $1 and token_hash in (select token_hash from others))
  insert into known_browsers (user_id, token_hash, last_used_at) values ($1, $2, $3)
  on conflict (user_id, token_hash) do update set last_used_at = excluded.last_used_at`;

/** $1 the cookie's hash, $2 the address of an account. */
export const RECOGNIZE = `
  select b.token_hash as hash from known_browsers b join users u on u.id = b.user_id where b.token_hash = $1 and u.email = $2`;

export const IS_OURS = 'select from known_browsers where token_hash = $1 limit 1';
