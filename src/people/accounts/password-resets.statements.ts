import { systemStatement } from '../../platform/database/statement.js';

// For the system role: people may belong to any number of stores.

/** A new link replaces earlier ones; expired links are deleted. */
export const REPLACE = systemStatement(
  'replace_password_reset',
  `with gone as (
    delete from password_resets where (user_id = $userId or expires_at <= $now) and token_hash <> $tokenHash)
  insert into password_resets (token_hash, user_id, expires_at) values ($tokenHash, $userId, $expiresAt)`,
);

export const FIND = systemStatement(
  'find_password_reset',
  `select u.email from password_resets r join users u on u.id = r.user_id
  where r.token_hash = $tokenHash and r.expires_at > $now`,
);

export const REDEEM = systemStatement(
  'redeem_password_reset',
  `delete from password_resets where token_hash = $tokenHash and expires_at > $now
  returning user_id as "userId"`,
);
