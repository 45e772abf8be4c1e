/*
 * For the system role: the store of the library's records is not known when they are looked up. Ids of tokens, codes and
 * interactions are secrets, so only their hashes are stored.
 */

/** $1 id hash, $2 payload, $3 the time at which it expires. */
export const KEEP_INTERACTION = `
  insert into oauth_interactions (id_hash, payload, expires_at) values ($1, $2, $3)
  on conflict (id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`;

export const FIND_INTERACTION = `select payload from oauth_interactions where id_hash = $1 and expires_at > $2`;

export const FORGET_INTERACTION = `delete from oauth_interactions where id_hash = $1`;

/**
 * $1 grant, $2 kind, $3 hash, $4 payload, $5 the time at which it expires, $6 now, $7 the most seconds that a
 * grant lasts. A grant lives as long as its tokens. No token is stored for a grant that has ended, even if it
 * ends concurrently.
 */
export const KEEP_TOKEN = `
  with living as (
    update oauth_grants set expires_at = least(created_at + make_interval(secs => $7), greatest(expires_at, $5))
    where id = $1 and expires_at > $6 returning store_id, id)
  insert into oauth_tokens (store_id, grant_id, kind, token_hash, payload, expires_at)
  select store_id, id, $2, $3, $4, $5 from living returning 1`;

/** $1 kind, $2 hash, $3 now. */
export const FIND_TOKEN = `
  select payload, consumed_at as "consumedAt" from oauth_tokens where kind = $1 and token_hash = $2 and expires_at > $3`;

/**
 * Lets one of two concurrent calls win, because the library finds a token before it consumes it. $1 kind, $2
 * hash, $3 now.
 */
export const CONSUME_TOKEN = `
  update oauth_tokens set consumed_at = $3 where kind = $1 and token_hash = $2 and consumed_at is null returning 1`;

/** $1 kind, $2 hash. */
export const CONSUMED_TOKEN = `
  select consumed_at as "consumedAt", grant_id as "grantId" from oauth_tokens where kind = $1 and token_hash = $2`;

export const FORGET_TOKEN = `delete from oauth_tokens where kind = $1 and token_hash = $2`;
