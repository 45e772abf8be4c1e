import type { AdapterPayload } from 'oidc-provider';
import { columns } from '../../platform/database/columns.js';
import { as, systemStatement } from '../../platform/database/statement.js';
import { SUSPENSION } from '../../platform/store/call.js';

/*
 * For the system role: the store of the library's records is not known when they are looked up. Ids of
 * tokens, codes and interactions are secrets, so only their hashes are stored.
 */

const row = as<{ payload: AdapterPayload }>();

/** Nothing is changed in a store that is moved to another installation, which would not hear of it. */
const MAY_CHANGE =
  'not exists (select from stores s where s.id = store_id and s.read_only_since is not null)';

/** The store of the grant, or of the token, if it is being moved, or was moved away. */
export const FIND_MOVED = systemStatement(
  'find_moved_of_oauth',
  `select ${columns(SUSPENSION, 's')} from stores s where s.read_only_since is not null and s.id in (
    select store_id from oauth_grants where id = $grantId?
    union all select store_id from oauth_tokens where token_hash = $hash?)`,
);

export const KEEP_INTERACTION = systemStatement(
  'keep_oauth_interaction',
  `insert into oauth_interactions (id_hash, payload, expires_at) values ($idHash, $payload, $expiresAt)
  on conflict (id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
);

export const FIND_INTERACTION = systemStatement(
  'find_oauth_interaction',
  `select payload from oauth_interactions where id_hash = $idHash and expires_at > $now`,
  { row },
);

export const FORGET_INTERACTION = systemStatement(
  'forget_oauth_interaction',
  `delete from oauth_interactions where id_hash = $idHash`,
);

/**
 * A grant lives as long as its tokens, and `$mostSeconds` at most. No token is stored for a grant that has
 * ended, even if it ends concurrently.
 */
export const KEEP_TOKEN = systemStatement(
  'keep_oauth_token',
  `with living as (
    update oauth_grants set expires_at =
      least(created_at + make_interval(secs => $mostSeconds), greatest(expires_at, $expiresAt))
    where id = $grantId and expires_at > $now and ${MAY_CHANGE} returning store_id, id)
  insert into oauth_tokens (store_id, grant_id, kind, token_hash, payload, expires_at)
  select store_id, id, $kind, $hash, $payload, $expiresAt from living returning grant_id`,
);

export const FIND_TOKEN = systemStatement(
  'find_oauth_token',
  `select payload, consumed_at as "consumedAt" from oauth_tokens
  where kind = $kind and token_hash = $hash and expires_at > $now`,
  { row },
);

/** Lets one of two concurrent calls win, because the library finds a token before it consumes it. */
export const CONSUME_TOKEN = systemStatement(
  'consume_oauth_token',
  `update oauth_tokens set consumed_at = $now
  where kind = $kind and token_hash = $hash and consumed_at is null and ${MAY_CHANGE} returning grant_id`,
);

export const CONSUMED_TOKEN = systemStatement(
  'find_consumed_oauth_token',
  `select consumed_at as "consumedAt!", grant_id as "grantId" from oauth_tokens
  where kind = $kind and token_hash = $hash and consumed_at is not null`,
);

export const FORGET_TOKEN = systemStatement(
  'forget_oauth_token',
  `delete from oauth_tokens where kind = $kind and token_hash = $hash and ${MAY_CHANGE} returning grant_id`,
);
