import { systemStatement } from '../../platform/database/statement.js';

// For the system role: people may belong to any number of stores.

export const FIND = systemStatement(
  'find_second_factor',
  `select sealed_secret as sealed, confirmed_at as "confirmedAt" from second_factors where user_id = $userId`,
);

export const LOCK = systemStatement(
  'lock_second_factor',
  `select from second_factors where user_id = $userId for update`,
);

export const DELETE = systemStatement(
  'delete_second_factor',
  `delete from second_factors where user_id = $userId returning user_id`,
);

export const STATE = systemStatement(
  'second_factor_state',
  `select f.confirmed_at as "enabledAt!",
    (select count(*)::int from recovery_codes c where c.user_id = $userId and c.used_at is null) as "left!"
  from second_factors f where f.user_id = $userId and f.confirmed_at is not null`,
);

/** Returns no row if this step, or a later one, was already used. */
export const USE_STEP = systemStatement(
  'use_step',
  `update second_factors set last_step = $step where user_id = $userId and last_step < $step
  returning user_id`,
);

export const USE_RECOVERY_CODE = systemStatement(
  'use_recovery_code',
  `update recovery_codes set used_at = $now
  where user_id = $userId and code_hash = $codeHash and used_at is null returning user_id`,
);

export const DELETE_RECOVERY_CODES = systemStatement(
  'delete_recovery_codes',
  `delete from recovery_codes where user_id = $userId`,
);

export const INSERT_RECOVERY_CODES = systemStatement(
  'insert_recovery_codes',
  `insert into recovery_codes (user_id, code_hash) select $userId, unnest($codeHashes::text[])`,
);

/** Returns no row if the second factor is already on. */
export const ENROL = systemStatement(
  'enrol_second_factor',
  `insert into second_factors as f (user_id, sealed_secret, created_at, last_step)
  values ($userId, $sealed, $now, 0)
  on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
    where f.confirmed_at is null
  returning user_id`,
);

/** `$sealed` is the secret that the code belongs to. Returns no row if it was replaced. */
export const CONFIRM = systemStatement(
  'confirm_second_factor',
  `update second_factors set confirmed_at = $now, last_step = $step
  where user_id = $userId and sealed_secret = $sealed and confirmed_at is null returning user_id`,
);
