import { as, systemStatement } from '../../platform/database/statement.js';

// For the system role: apps do not belong to a store.

/** Returns no row for a blocked client. */
export const FIND = systemStatement(
  'find_app',
  `select metadata from oauth_clients c where id = $id and (expires_at is null or expires_at > $now)
    and not exists (select from oauth_blocked_clients b where b.client = c.id)`,
  { row: as<{ metadata: object }>() },
);

export const INSERT = systemStatement(
  'insert_app',
  `insert into oauth_clients (id, kind, metadata, created_at, expires_at)
  values ($id, $kind, $metadata, $now, $expiresAt?)`,
);

/**
 * Drops the oldest registrations that nobody has connected, beyond the most there may be. A connected one
 * expires later than any of them, unless it is about to end.
 */
export const EVICT = systemStatement(
  'evict_apps',
  `delete from oauth_clients where id in (
    select id from oauth_clients
    where kind = 'registered' and expires_at <= $unusedUntil
      and expires_at - created_at <= make_interval(secs => $unusedSeconds)
    order by created_at desc, id desc offset $most)`,
);

export const KEEP = systemStatement(
  'keep_app',
  `update oauth_clients set expires_at = $expiresAt where id = $id and kind = 'registered'`,
);

/** `$names` are those under which a client may be blocked. */
export const FIND_BLOCKED = systemStatement(
  'find_blocked_app',
  `select from oauth_blocked_clients where client = any($names)`,
);

export const BLOCK = systemStatement(
  'block_app',
  `insert into oauth_blocked_clients (client, blocked_at) values ($client, $now) on conflict do nothing`,
);

export const UNBLOCK = systemStatement(
  'unblock_app',
  `delete from oauth_blocked_clients where client = $client returning client`,
);

export const FIND_PARTNER = systemStatement(
  'find_partner_app',
  `select from oauth_clients where id = $id and kind = 'partner'`,
);
