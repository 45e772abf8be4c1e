import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { movedTo, versionAfter } from '../../platform/store/version.js';
import type { EntryRules } from './bonus-explanation.js';
import { CustomerRecord } from './customers.dto.js';

/**
 * The columns of a customer's record, from the row `c`. Orders are counted only for the rows of the page,
 * with the index orders_of_customer.
 */
const RECORD = `${columns(CustomerRecord, 'c', ['orderCount', 'totalSpent'])},
  bought.orders as "orderCount!", bought.spent as "totalSpent!"`;
const BOUGHT = `cross join lateral (
  select count(*) as orders, coalesce(sum(o.total_price) filter (where o.status <> 'PENDING'), 0) as spent
  from orders o where o.store_id = c.store_id and o.messenger_user_id = c.id and o.status <> 'CANCELLED'
) bought`;

export const LIST_CUSTOMERS = statement(
  'list_customers',
  `select ${RECORD} from (
     select * from customers where store_id = $store and id > $idAbove order by id limit $take
   ) c ${BOUGHT} order by c.id`,
);

/** The text is case-folded. */
export const SEARCH_CUSTOMERS = statement(
  'search_customers',
  `select ${RECORD} from find_customers($store::uuid, $text, $idAbove, $take) as found (id)
   join customers c on c.store_id = $store and c.id = found.id ${BOUGHT} order by c.id`,
  { slow: true },
);

export const GET_CUSTOMER = statement(
  'get_customer',
  `select ${RECORD} from customers c ${BOUGHT} where c.store_id = $store and c.id = $id`,
);

export const LOCK_CUSTOMER = statement(
  'lock_customer',
  `select ${RECORD}, ${columns(['editedNames', 'movedAt', 'editedAt'], 'c')} from customers c ${BOUGHT}
   where c.store_id = $store and c.id = $id for no key update of c`,
);

/**
 * SQL of the new value of a name or of its line of search_text: the given value, or nothing if the name is
 * removed, or else the previous value.
 */
const newValue = (name: string, given: string, previous: string) => `coalesce(${given}, case
  when not ('${name}' = any($removed::text[]) and '${name}' <> all(c.edited_names)) then ${previous} end)`;
const newLine = (name: string, line: number) =>
  newValue(name, `$${name}Line?`, `split_part(c.search_text, E'\\n', ${line})`);
const NEW_NAMES = `${newValue('username', '$username?', 'c.username')}, coalesce($firstName?, c.first_name),
  ${newValue('lastName', '$lastName?', 'c.last_name')}`;

/**
 * A name is null if it is not given, and so is its line of search_text. `$removed` are the names that the
 * shopper does not have, which are removed unless the shop set them itself; `$given` those that are given.
 * The upsert locks the row, so everything that follows in the transaction sees a settled balance. An `xmax`
 * of 0 distinguishes an insert from an update.
 */
export const TOUCH_CUSTOMER = statement(
  'touch_customer',
  `insert into customers as c (store_id, id, username, first_name, last_name, created_at, updated_at,
     last_seen_at, search_text)
   values ($store, $id, $username?, $firstName?, $lastName?, $now, $now, $now,
     concat($firstNameLine?::text, E'\\n', $lastNameLine?::text, E'\\n', $usernameLine?::text))
   on conflict (store_id, id) do update set (username, first_name, last_name) = row (${NEW_NAMES}),
     last_seen_at = $now,
     search_text = concat(coalesce($firstNameLine?, split_part(c.search_text, E'\\n', 1)), E'\\n',
       ${newLine('lastName', 2)}, E'\\n', ${newLine('username', 3)}),
     edited_names = array(select e from unnest(c.edited_names) e where e <> all($given::text[])),
     updated_at = case when (${NEW_NAMES}) is distinct from (c.username, c.first_name, c.last_name)
       then ${versionAfter('c.updated_at', '$now')} else c.updated_at end
   returning ${columns(['id', 'isBanned', 'bonusBalance'], 'c')}, c.xmax = 0 as "isNew!"`,
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

/**
 * Locks the customer, inserts the entry and updates the balance, all in one statement. No entry is made if
 * the balance would leave its bounds or the order has already had this award. No row is returned for an
 * unknown customer. The time of an entry, which is also in its id, is that of the customer's new version.
 * Versions rise under the lock, so the ledger is in the order in which the balance changed.
 */
export const POST_BONUS = statement(
  'post_bonus',
  `with customer as (
    select c.bonus_balance, ${versionAfter('c.updated_at', '$now')} as at from customers c
    where c.store_id = $store and c.id = $customerId for no key update
  ), entry as (
    insert into bonus_entries (store_id, id, customer_id, delta, balance_after, kind, reason, order_id,
      referred_id, rules, created_at, actor_name)
    select $store, (${idAt('customer.at', '$id')})::uuid, $customerId, $delta::numeric,
      customer.bonus_balance + $delta::numeric, $kind, $reason?, $orderId?, $referredId?, $rules?,
      customer.at, $actorName
    from customer where customer.bonus_balance + $delta::numeric between 0 and ${MAX_BALANCE}
    on conflict (store_id, order_id, kind) where kind in ('cashback', 'referral_order') do nothing
    returning balance_after, created_at, kind
  ), kept as (
    update customers c set bonus_balance = entry.balance_after,
      ${movedTo('c', 'entry.created_at', "entry.kind <> 'adjustment'")}
    from entry where c.store_id = $store and c.id = $customerId
  )
  select customer.bonus_balance as "before!", entry.balance_after as after
  from customer left join entry on true`,
);

/** A customer without entries returns one row whose id is null. */
export const LIST_BONUS_HISTORY = statement(
  'list_bonus_history',
  `select e.*, case when e.kind = 'cashback_reversal' then (
     select sum(f.delta) from bonus_entries f
     where f.store_id = $store and f.order_id = e."orderId" and f.id < e.id
       and f.kind in ('cashback', 'cashback_reversal', 'cashback_return')) end as earned
   from customers c left join lateral (
     select ${columns(['id', 'delta', 'kind', 'reason', 'orderId', 'rules', 'createdAt'], 'b')},
       b.balance_after as balance, b.actor_name as "by"
     from bonus_entries b
     where b.store_id = c.store_id and b.customer_id = c.id and b.id < $idBelow order by b.id desc limit $take
   ) e on true where c.store_id = $store and c.id = $customerId order by e.id desc`,
  { row: as<{ rules: EntryRules | null }>() },
);
