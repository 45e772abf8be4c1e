// For the system role: apps do not belong to a store.

/** $2 now. Returns no row for a blocked client. */
export const FIND = `
  select metadata from oauth_clients c where id = $1 and (expires_at is null or expires_at > $2)
    and not exists (select from oauth_blocked_clients b where b.client = c.id)`;

export const INSERT =
  'insert into oauth_clients (id, kind, metadata, created_at, expires_at) values ($1, $2, $3, $4, $5)';

/** $2 the time at which a client that registered itself expires. */
export const KEEP = `update oauth_clients set expires_at = $2 where id = $1 and kind = 'registered'`;

/** $1 the names under which a client may be blocked. */
export const FIND_BLOCKED = 'select from oauth_blocked_clients where client = any($1)';

export const BLOCK =
  'insert into oauth_blocked_clients (client, blocked_at) values ($1, $2) on conflict do nothing';
export const UNBLOCK = 'delete from oauth_blocked_clients where client = $1 returning 1';
