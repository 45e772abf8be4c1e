/** From so many attempts in a row on that failed, an endpoint counts as failing. */
const FAILURES = 3;

/** Processes write the ids of attempts by clocks of their own, which may be behind the database's. */
const FIRST_ID = `order_event_id_at(e.url_set_at - interval '1 hour')`;

/** SQL of an endpoint `e`'s health, which `HEALTH_OF_ENDPOINT` reads. */
export const HEALTH = `arrived.at as "lastSuccessAt",
  case when failing.count >= ${FAILURES} then failing.since end as "failingSince",
  case when failing.count >= ${FAILURES} then failing.error end as "lastError"`;

/**
 * The newest attempt to the present URL that succeeded, and those that failed since, whatever delivery they
 * belong to (docs/behaviour.md §7.7). Three are read of these, and the newest, however many there are.
 */
export const HEALTH_OF_ENDPOINT = `left join lateral (
    select a.id, a.at from webhook_attempts a
    where a.store_id = e.store_id and a.error is null and a.id >= ${FIRST_ID} and a.at > e.url_set_at
    order by a.id desc limit 1
  ) arrived on true
  left join lateral (
    select count(*) as count, min(f.at) as since, (
      select n.error from webhook_attempts n
      where n.store_id = e.store_id and n.error is not null order by n.id desc limit 1) as error
    from (
      select a.at from webhook_attempts a
      where a.store_id = e.store_id and a.error is not null and a.id > coalesce(arrived.id, ${FIRST_ID})
        and a.at > e.url_set_at
      order by a.id limit ${FAILURES}
    ) f
  ) failing on true`;
