import { statement } from '../../platform/database/statement.js';

// What the history of the demo store needs and no service of the shop does.

export const AGE_STORE = statement(
  'demo_age_store',
  `update stores set created_at = $createdAt where id = $store`,
);

/**
 * Settles the deliveries as if they had been sent when they were due, to a receiver that was down for some
 * hours: what came early was given up after the sixth attempt, the rest arrived later.
 */
export const SETTLE_DELIVERIES = statement(
  'demo_settle_deliveries',
  `with attempts as (
    select d.id, due.at, due.at between $downFrom and $downUntil as is_failed
    from webhook_deliveries d cross join lateral (
      select w.number, d.created_at + w.seconds * interval '1 second' as at,
        d.created_at + w.before * interval '1 second' as before
      from unnest(array[0.1, 60, 360, 2160, 9360, 30960], array[0, 0.1, 60, 360, 2160, 9360])
        with ordinality as w (seconds, before, number)
    ) due
    where d.store_id = $store and (due.number = 1 or d.created_at >= $downFrom and due.before <= $downUntil)
  ), recorded as (
    insert into webhook_attempts (store_id, delivery_id, id, at, duration_ms, status_code, error, response)
    select $store, id, order_event_id_at(at), at, 40 + abs(hashtext(id::text)) % 340,
      case when is_failed then 503 else 204 end, case when is_failed then 'answered with status 503' end,
      case when is_failed then 'Down for maintenance' else '' end
    from attempts
  )
  update webhook_deliveries d set status = case when a.is_failed then 'failed' else 'delivered' end,
    failed_attempts = a.failures, next_attempt_at = null, finished_at = a.at + interval '1 second'
  from (
    select id, max(at) as at, bool_and(is_failed) as is_failed, count(*) filter (where is_failed) as failures
    from attempts group by id
  ) a where d.store_id = $store and d.id = a.id`,
);

/** All invoices except the newest one are paid. */
export const PAY_INVOICES = statement(
  'demo_pay_invoices',
  `update invoices i set (status, paid_at, updated_at) = (
     select 'paid', i.issued_at + interval '2 days', i.issued_at + interval '2 days')
   where i.store_id = $store
     and i.period_start < (select max(period_start) from invoices where store_id = $store)`,
);

/** The token and the connected apps have been used. */
export const NOTE_USE = statement(
  'demo_note_use',
  `with token as (
     update api_tokens set last_used_at = $tokenUsedAt where store_id = $store and id = $tokenId)
   update oauth_grants set last_used_at = $appUsedAt where store_id = $store`,
);
