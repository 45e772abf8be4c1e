// For the system role: people may belong to any number of stores.

export const FIND = `select sealed_secret as sealed, confirmed_at as "confirmedAt" from second_factors where user_id = $1`;
export const LOCK = 'select from second_factors where user_id = $1 for update';
export const DELETE = 'delete from second_factors where user_id = $1';

export const STATE = `
  select f.confirmed_at as "enabledAt", (select count(*)::int from recovery_codes c where c.user_id = $1 and c.used_at is null) as left
  from second_factors f where f.user_id = $1 and f.confirmed_at is not null`;

/** Returns no row if this step, or a later one, was already used. */
export const USE_STEP = `update second_factors set last_step = $2 where user_id = $1 and last_step < $2 returning 1`;
export const USE_RECOVERY_CODE = `
  update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null returning 1`;
export const DELETE_RECOVERY_CODES = 'delete from recovery_codes where user_id = $1';
export const INSERT_RECOVERY_CODES =
  'insert into recovery_codes (user_id, code_hash) select $1, unnest($2::text[])';

/** $2 the sealed secret, $3 now. Returns no row if the second factor is already on. */
export const ENROL = `
  insert into second_factors as f (user_id, sealed_secret, created_at, last_step) values ($1, $2, $3, 0)
  on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at where f.confirmed_at is null
  returning 1`;

/**
 * $2 the sealed secret that the code belongs to, $3 now, $4 the code's step. Returns no row if the secret was
 * replaced.
 */
export const CONFIRM = `
  update second_factors set confirmed_at = $3, last_step = $4
  where user_id = $1 and sealed_secret = $2 and confirmed_at is null returning 1`;
