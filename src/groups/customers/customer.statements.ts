import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { MAX_MINOR } from '../../platform/money.js';
import { pageRows } from '../../search/sql.js';
import { NAMED_CUSTOMERS } from './finding/customer-search.statements.js';
import { movedTo, versionAfter } from '../../platform/store/version.js';
import type { EntryRules } from './bonus-explanation.js';
import { CustomerRecord } from './customers.dto.js';

/** The columns of a customer's record, from the row `c`. */
const RECORD = `${columns(CustomerRecord, 'c', ['orderCount', 'totalSpent'])},
  coalesce(bought.order_count, 0) as "orderCount!",
  least(coalesce(bought.total_spent, 0), ${MAX_MINOR}) as "totalSpent!"`;
const BOUGHT = `left join customer_sales bought
  on bought.store_id = c.store_id and bought.customer_id = c.id`;

export const LIST_CUSTOMERS = statement(
  'list_customers',
  `select ${RECORD} from (
     select * from customers where store_id = $store and id > $idAbove order by id limit $take
   ) c ${BOUGHT} order by c.id`,
);

/** By the names and the username alone. */
export const SEARCH_CUSTOMERS = statement(
  'search_customers',
  `select ${RECORD} from (${pageRows(NAMED_CUSTOMERS, 'by_id')}) c ${BOUGHT} order by c.id`,
  { slow: true },
);

export const GET_CUSTOMER = statement(
  'get_customer',
  `select ${RECORD} from customers c ${BOUGHT} where c.store_id = $store and c.id = $id`,
);

/** The same with their last order and the phone number of their newest order that has one. */
export const EXPORT_CUSTOMERS = statement(
  'export_customers',
  `select ${RECORD}, nullif(bought.last_order_at, '-infinity') as "lastOrderAt", (
     select n.phone from order_phones n where n.store_id = $store and n.customer_id = c.id
     order by n.order_id desc, n.nth limit 1) as phone
   from customers c ${BOUGHT} where c.store_id = $store and c.id = any($ids::bigint[])`,
  { slow: true },
);

export const LOCK_CUSTOMER = statement(
  'lock_customer',
  `select ${RECORD}, ${columns(['editedNames', 'movedAt', 'editedAt'], 'c')} from customers c ${BOUGHT}
   where c.store_id = $store and c.id = $id for no key update of c`,
);

/** SQL of the new value of a name: the given one, or nothing if it is removed, or else the previous one. */
const newValue = (name: string, given: string, previous: string) => `coalesce(${given}, case
  when not ('${name}' = any($removed::text[]) and '${name}' <> all(c.edited_names)) then ${previous} end)`;
const NEW_NAMES = `${newValue('username', '$username?', 'c.username')}, coalesce($firstName?, c.first_name),
  ${newValue('lastName', '$lastName?', 'c.last_name')}`;

/**
 * A name is null if it is not given. `$removed` are the names that the
 * shopper does not have, which are removed unless the shop set them itself; `$given` those that are given.
 * The upsert locks the row, so everything that follows in the transaction sees a settled balance. An `xmax`
 * of 0 distinguishes an insert from an update, and names that change make a version.
 */
export const TOUCH_CUSTOMER = statement(
  'touch_customer',
  `insert into customers as c (store_id, id, username, first_name, last_name, created_at, updated_at,
     last_seen_at)
   values ($store, $id, $username?, $firstName?, $lastName?, $now, $now, $now)
   on conflict (store_id, id) do update set (username, first_name, last_name) = row (${NEW_NAMES}),
     last_seen_at = $now,
     edited_names = array(select e from unnest(c.edited_names) e where e <> all($given::text[])),
     updated_at = case when (${NEW_NAMES}) is distinct from (c.username, c.first_name, c.last_name)
       then ${versionAfter('c.updated_at', '$now')} else c.updated_at end
   returning ${columns(['id', 'isBanned', 'bonusBalance'], 'c')}, c.xmax = 0 as "isNew!",
     c.updated_at >= $now as "isRenamed!"`,
);

export const FIND_KNOWN = statement(
  'find_known_shopper',
  `select ${columns(['id', 'isBanned', 'bonusBalance'], 'c')} from customers c
   where c.store_id = $store and c.id = $id`,
);

/** Returns no row if the referrer is not another customer of the store. */
export const LINK_REFERRER = statement(
  'link_referrer',
  `update customers c set referrer_id = r.id, updated_at = ${versionAfter('c.updated_at', '$now')}
   from customers r
   where c.store_id = $store and c.id = $customerId and c.referrer_id is null
     and r.store_id = $store and r.id = $referrerId and r.id <> c.id
   returning (
     select m.referral->>'referralJoinBonus' from monetization m where m.store_id = $store
   ) as "joinBonus"`,
);

/** The referrer of a customer, locked. */
export const LOCK_REFERRER = statement(
  'lock_referrer',
  `select r.id from customers c join customers r on r.store_id = c.store_id and r.id = c.referrer_id
   where c.store_id = $store and c.id = $customerId for no key update of r`,
);

/** A larger balance would no longer be an exact JSON number. */
export const MAX_BALANCE = '90000000000000';

/**
 * SQL of the version 7 UUID `id` with another time. Ids are created before a statement waits for its lock, so
 * their own time does not show the order of the changes.
 */
const idAt = (at: string, id: string) =>
  `overlay(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') placing '-' from 9 for 0)
   || substr(${id}::text, 14)`;

/** Between the two entries of a movement, so that their ids are in the order in which the balance changed. */
const MOMENT = `interval '1 millisecond'`;
const NONE = `interval '0'`;

/** Locks the balance of a customer. */
export const LOCK_BALANCE = statement(
  'lock_balance',
  `select from customers c where c.store_id = $store and c.id = $customerId for no key update`,
);

/**
 * Inserts the entry and updates the balance, all in one statement. The customer must already be locked. A
 * credit settles a debt by a second entry, `debt_settled`. A debit that the balance cannot give makes a debt,
 * if it may: the entry `debt` brings what is missing, then the whole amount is taken (docs/behaviour.md
 * §6.5). No entry is made if the balance would leave its bounds or the order has already had this award. No
 * row is returned for an unknown customer. The time of an entry, which is also in its id, is that of the
 * customer's new version. Versions rise under the lock, so the ledger is in the order in which the balance
 * changed.
 */
export const POST_BONUS = statement(
  'post_bonus',
  `with customer as (
    select c.bonus_balance as balance, c.bonus_owed as owed, ${versionAfter('c.updated_at', '$now')} as at,
      case when $mayOwe::boolean then greatest(-$delta::numeric - c.bonus_balance, 0) else 0 end as short,
      greatest(least(c.bonus_owed, $delta::numeric), 0) as settled
    from customers c where c.store_id = $store and c.id = $customerId
  ), entry as (
    insert into bonus_entries (store_id, id, customer_id, delta, balance_after, kind, reason, order_id,
      referred_id, rules, created_at, actor_name)
    select $store, (${idAt('e.at', '$id')})::uuid, $customerId, $delta::numeric,
      e.balance + e.short + $delta::numeric, $kind, $reason?, $orderId?, $referredId?, $rules?, e.at,
      $actorName
    from (
      select c.balance, c.short, c.at + case when c.short > 0 then ${MOMENT} else ${NONE} end as at
      from customer c
    ) e where e.balance + e.short + $delta::numeric between 0 and ${MAX_BALANCE}
    on conflict (store_id, order_id, kind) where kind in ('cashback', 'referral_order') do nothing
    returning created_at, kind
  ), debt as (
    insert into bonus_entries (store_id, id, customer_id, delta, balance_after, kind, order_id, rules,
      created_at, actor_name)
    select $store, (${idAt('d.at', '$debtId')})::uuid, $customerId, d.delta, d.balance_after,
      case when d.delta > 0 then 'debt' else 'debt_settled' end, $orderId?,
      json_build_object('cause', $kind::text, 'moved', abs($delta::numeric)::text, 'owed', d.owed::text),
      d.at, $actorName
    from (
      select c.short - c.settled as delta, c.owed + c.short - c.settled as owed,
        c.balance + c.short - c.settled + greatest($delta::numeric, 0) as balance_after,
        c.at + case when c.settled > 0 then ${MOMENT} else ${NONE} end as at
      from customer c, entry where c.short + c.settled > 0
    ) d returning created_at
  ), kept as (
    update customers c set bonus_balance = k.balance + $delta::numeric + k.short - k.settled,
      bonus_owed = k.owed + k.short - k.settled,
      ${movedTo(
        'c',
        'greatest(entry.created_at, (select d.created_at from debt d))',
        "entry.kind <> 'adjustment'",
      )}
    from customer k, entry where c.store_id = $store and c.id = $customerId
  )
  select k.balance as "balanceBefore!", k.owed as "owedBefore!", k.short::numeric(20,2) as "short!",
     k.settled::numeric(20,2) as "settled!",
    entry.created_at is not null as "isMade!",
    (k.balance + $delta::numeric + k.short - k.settled)::numeric(20,2) as "balance!",
    (k.owed + k.short - k.settled)::numeric(20,2) as "owed!"
  from customer k left join entry on true`,
);

/** A customer without entries returns one row whose id is null. */
export const LIST_BONUS_HISTORY = statement(
  'list_bonus_history',
  `select e.*, case when e.kind = 'cashback_reversal' then (
     select sum(f.delta) from bonus_entries f
     where f.store_id = $store and f.order_id = e."orderId" and f.id < e.id
       and f.kind in ('cashback', 'cashback_correction', 'cashback_reversal', 'cashback_return')
     ) end as earned
   from customers c left join lateral (
     select ${columns(['id', 'delta', 'kind', 'reason', 'orderId', 'rules', 'createdAt'], 'b')},
       b.balance_after as balance, b.actor_name as "by"
     from bonus_entries b
     where b.store_id = c.store_id and b.customer_id = c.id and b.id < $idBelow order by b.id desc limit $take
   ) e on true where c.store_id = $store and c.id = $customerId order by e.id desc`,
  { row: as<{ rules: EntryRules | null }>() },
);
