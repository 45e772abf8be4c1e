// For the system role: people may belong to any number of stores.

/**
 * $1 the hash, $2 the user, $3 when it expires, $4 now. A new link replaces earlier ones; expired links are
 * deleted.
 */
export const REPLACE = `
  with gone as (delete from password_resets where (user_id = $2 or expires_at <= $4) and token_hash <> $1)
  insert into password_resets (token_hash, user_id, expires_at) values ($1, $2, $3)`;

/** $1 the hash, $2 now. */
export const FIND = 'select from password_resets where token_hash = $1 and expires_at > $2';
export const REDEEM =
  'delete from password_resets where token_hash = $1 and expires_at > $2 returning user_id as "userId"';
