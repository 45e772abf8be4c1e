import { systemStatement } from '../../platform/database/statement.js';

export const FIND_PUSH_KEYS = systemStatement(
  'find_push_keys',
  `select public_key as "publicKey", sealed_private_key as sealed from push_keys`,
);

/** Keeps the keys that another process has made meanwhile. */
export const SAVE_PUSH_KEYS = systemStatement(
  'save_push_keys',
  `insert into push_keys (public_key, sealed_private_key, created_at) values ($publicKey, $sealed, $now)
  on conflict do nothing`,
);
