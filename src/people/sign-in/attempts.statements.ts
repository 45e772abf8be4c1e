import { systemStatement } from '../../platform/database/statement.js';

// For the system role: people may belong to any number of stores.

/** A subject that nobody has counted has no row. */
export const FIND = systemStatement(
  'find_attempts',
  `select subject, attempts, since from sign_in_attempts where subject = any($subjects)`,
);

/**
 * Locks the counters until the attempt is counted, always in the same order, so that two attempts cannot
 * deadlock.
 */
export const LOCK = systemStatement(
  'lock_attempts',
  `insert into sign_in_attempts as a (subject, attempts, since)
  select subject, 0, $now from unnest($subjects::text[]) subject order by subject
  on conflict (subject) do update set attempts = a.attempts
  returning subject, attempts, since`,
);

export const COUNT = systemStatement(
  'count_attempts',
  `update sign_in_attempts a set attempts = c.attempts, since = c.since
  from unnest($subjects::text[], $attempts::int[], $since::timestamptz[]) c (subject, attempts, since)
  where a.subject = c.subject`,
);

/** Resets the counters of some subjects, which `LOCK` holds; of the others the last attempt is given back. */
export const GIVE_BACK = systemStatement(
  'give_back_attempts',
  `update sign_in_attempts a set attempts = case when l.is_reset then 0 else greatest(a.attempts - 1, 0) end
  from unnest($subjects::text[], $isReset::boolean[]) l (subject, is_reset)
  where a.subject = l.subject`,
);

export const CLEAR = systemStatement(
  'clear_attempts',
  `delete from sign_in_attempts where subject like any ($patterns)`,
);
