import { as, statement } from '../platform/database/statement.js';

/** The day of the store's time zone, and its end. */
const DAY = `select (($now::timestamptz at time zone s.time_zone)::date)::text as day,
    ((($now::timestamptz at time zone s.time_zone)::date + 1)::timestamp at time zone s.time_zone) as ends_at,
    s.time_zone
  from stores s where s.id = $store`;

/** Adds to the day's amount, if it then is within the limit. Two calls at once take turns at the row. */
export const SPEND = statement(
  'spend_daily_limit',
  `update oauth_grants g
   set daily_spent = jsonb_build_object(d.day, coalesce(g.daily_spent -> d.day, '{}') || jsonb_build_object(
     $kind::text, coalesce((g.daily_spent -> d.day ->> $kind)::numeric, 0) + $amount::numeric))
   from (${DAY}) d
   where g.store_id = $store and g.id = $id and
     coalesce((g.daily_spent -> d.day ->> $kind)::numeric, 0) + $amount::numeric
       <= (g.daily_limits ->> $kind)::numeric
   returning g.id`,
);

export const GET_SPENT = statement(
  'get_daily_spent',
  `select coalesce(g.daily_spent -> d.day, '{}') as "spent!", d.ends_at as "endsAt!",
     d.time_zone as "timeZone!"
   from oauth_grants g, (${DAY}) d where g.store_id = $store and g.id = $id`,
  { row: as<{ spent: Record<string, number | undefined> }>() },
);
