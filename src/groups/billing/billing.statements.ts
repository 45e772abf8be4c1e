import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { newestOf } from '../../platform/store/records.js';
import { Invoice } from './invoice.entity.js';

export const LIST_INVOICES = statement('list_invoices', newestOf('invoices', Invoice));

export const LIST_INVOICED_PERIODS = statement(
  'list_invoiced_periods',
  `select ${columns(['periodStart'], 'i')} from invoices i where i.store_id = $store`,
);

/** Adds up a few rows that triggers maintain, because a store may have a million customers. */
export const COUNT_CONTACTS = statement(
  'count_contacts',
  `select coalesce(sum(total), 0)::int as "total!", coalesce(sum(active), 0)::int as "active!",
     coalesce(sum(banned), 0)::int as "banned!", coalesce(sum(bot_blocked), 0)::int as "botBlocked!"
   from contact_counts where store_id = $store`,
);

export const COUNT_CONTACTS_BEFORE = statement(
  'count_contacts_before',
  `select count(*)::int as "contacts!" from customers where store_id = $store and created_at < $before`,
);

/**
 * An invoice of 0 is issued as paid. A period has only one invoice, even if two calls issue it at the same
 * time.
 */
export const ISSUE_INVOICE = statement(
  'issue_invoice',
  `insert into invoices (store_id, id, number, status, amount, currency, period_start, period_end, issued_at,
     paid_at, created_at, updated_at)
   values ($store, $id, $number, case when $amount::numeric = 0 then 'paid' else 'open' end, $amount,
     $currency, $start, $end, $now, case when $amount::numeric = 0 then $now::timestamptz end, $now, $now)
   on conflict (store_id, period_start) do nothing`,
);

/**
 * A store that the operator has never put on a plan has had its plan since it was created. `fromPlan` and
 * `toPlan` are those before and after the latest change; null if the plan has never changed.
 */
export const GET_SUBSCRIPTION = statement(
  'get_subscription',
  `select s.plan, coalesce(u.status, 'active') as "status!",
     coalesce(u.started_at, s.created_at) as "startedAt!",
     coalesce(u.cancel_at_period_end, false) as "cancelAtPeriodEnd!", ${columns(['fromPlan', 'toPlan'], 'c')}
   from stores s left join subscriptions u on u.store_id = s.id left join lateral (
     select from_plan, to_plan from plan_changes where store_id = $store
     order by changed_at desc, id desc limit 1) c on true
   where s.id = $store`,
);

/** The changes of plan since a moment. */
export const LIST_PLAN_CHANGES = statement(
  'list_plan_changes',
  `select ${columns(['fromPlan', 'changedAt'], 'c')} from plan_changes c
   where c.store_id = $store and c.changed_at >= $since order by c.changed_at, c.id`,
);

/** An invoice that is paid stays as it is. */
export const PAY_INVOICE = statement(
  'pay_invoice',
  `update invoices set status = 'paid', paid_at = $now, updated_at = $now
   where store_id = $store and id = $id and status = 'open'`,
);

export const LOCK_STORE_PLAN = statement(
  'lock_store_plan',
  `select plan from stores where id = $store for update`,
);

/** A subscription that was set to end continues. */
export const CHANGE_PLAN = statement(
  'change_plan',
  `with store as (
     update stores set plan = $plan, updated_at = $now where id = $store returning created_at
   ), change as (
     insert into plan_changes (store_id, id, from_plan, to_plan, changed_at)
     values ($store, $changeId, $previousPlan, $plan, $now)
   ) insert into subscriptions (store_id, status, started_at, cancel_at_period_end, created_at, updated_at)
   select $store, 'active', store.created_at, false, $now, $now from store
   on conflict (store_id) do update set status = 'active', cancel_at_period_end = false, updated_at = $now`,
);
