// For the system role: people may belong to any number of stores.

/**
 * Locks the counters until the attempt is counted, always in the same order, so that two attempts cannot
 * deadlock.
 */
export const LOCK = `
  insert into sign_in_attempts as a (subject, attempts, since)
  select subject, 0, $2 from unnest($1::text[]) subject order by subject
  on conflict (subject) do update set attempts = a.attempts
  returning subject, attempts, since`;

export const COUNT = `
  update sign_in_attempts a set attempts = c.attempts, since = c.since
  from unnest($1::text[], $2::int[], $3::timestamptz[]) c (subject, attempts, since) where a.subject = c.subject`;

/** $1 the subjects, $2 whether each is reset; otherwise only its last attempt is given back. */
export const GIVE_BACK = `
  update sign_in_attempts a set attempts = case when l.is_reset then 0 else greatest(a.attempts - 1, 0) end
  from unnest($1::text[], $2::boolean[]) l (subject, is_reset) where a.subject = l.subject`;

export const CLEAR = 'delete from sign_in_attempts where subject like any ($1)';
