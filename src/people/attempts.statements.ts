// For the system role: people belong to no store, or to several.

/** Locks the counters until the attempt is counted, in one order, so that no two attempts wait for each other. */
export const LOCK = `
  insert into sign_in_attempts as a (subject, attempts, since)
  select subject, 0, $2 from unnest($1::text[]) subject order by subject
  on conflict (subject) do update set attempts = a.attempts
  returning subject, attempts, since`;

export const COUNT = `
  update sign_in_attempts a set attempts = c.attempts, since = c.since
  from unnest($1::text[], $2::int[], $3::timestamptz[]) c (subject, attempts, since) where a.subject = c.subject`;

/** $1 the subjects, $2 whether each starts anew, or only gets its last attempt back. */
export const GIVE_BACK = `
  update sign_in_attempts a set attempts = case when l.anew then 0 else greatest(a.attempts - 1, 0) end
  from unnest($1::text[], $2::boolean[]) l (subject, anew) where a.subject = l.subject`;

export const CLEAR = 'delete from sign_in_attempts where subject like any ($1)';
