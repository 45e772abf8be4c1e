import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { versionAfter } from '../../platform/store/version.js';
import { CustomerRecord } from './customers.dto.js';

/**
 * The columns of a customer's record, from the row `c`. Orders are counted only for the rows of the page,
 * with the index orders_of_customer.
 */
const RECORD = `${columns(CustomerRecord, 'c', ['orderCount', 'totalSpent'])}, bought.orders as "orderCount", bought.spent as "totalSpent"`;
const BOUGHT = `cross join lateral (
  select count(*) as orders, coalesce(sum(o.total_price) filter (where o.status <> 'PENDING'), 0) as spent
  from orders o where o.store_id = c.store_id and o.messenger_user_id = c.id and o.status <> 'CANCELLED') bought`;

/** $2 the id after which the page starts, $3 the number of rows. */
export const LIST_CUSTOMERS = statement(
  'list_customers',
  `select ${RECORD} from (select * from customers where store_id = $1 and id > $2 order by id limit $3) c ${BOUGHT} order by c.id`,
);

/** $2 and $3 as in LIST_CUSTOMERS, $4 the case-folded text. */
export const SEARCH_CUSTOMERS = statement(
  'search_customers',
  `select ${RECORD} from find_customers($1::uuid, $4, $2, $3) as found (id)
   join customers c on c.store_id = $1 and c.id = found.id ${BOUGHT} order by c.id`,
  { slow: true },
);

export const GET_CUSTOMER = statement(
  'get_customer',
  `select ${RECORD} from customers c ${BOUGHT} where c.store_id = $1 and c.id = $2`,
);

export const LOCK_CUSTOMER = statement(
  'lock_customer',
  `select ${RECORD}, c.edited_names as "editedNames" from customers c ${BOUGHT}
   where c.store_id = $1 and c.id = $2 for no key update of c`,
);

/**
 * SQL of the new value of a name and of its line of search_text: the given value, or nothing if it is
 * removed, or else the previous value.
 */
const isRemoved = (name: string) => `('${name}' = any($10::text[]) and '${name}' <> all(c.edited_names))`;
const newName = (name: string, column: string, given: string) =>
  `coalesce(${given}, case when not ${isRemoved(name)} then c.${column} end)`;
const newLine = (name: string, line: number, given: string) =>
  `coalesce(${given}, case when ${isRemoved(name)} then '' else split_part(c.search_text, E'\\n', ${line}) end)`;
const NEW_NAMES = [
  newName('username', 'username', '$3'),
  'coalesce($4, c.first_name)',
  newName('lastName', 'last_name', '$5'),
];

/**
 * $3 username, $4 first name, $5 last name, each null if not given; $6 now; $7 to $9 the lines of search_text
 * for first name, last name and username; $10 the names that the shopper does not have, which are removed
 * unless the shop set them itself; $11 the names that are given. The upsert locks the row, so everything that
 * follows in the transaction sees a settled balance. An `xmax` of 0 distinguishes an insert from an update.
 */
export const TOUCH_CUSTOMER = statement(
  'touch_customer',
  `insert into customers as c (store_id, id, username, first_name, last_name, created_at, updated_at, last_seen_at, search_text)
   values ($1, $2, $3, $4, $5, $6, $6, $6, concat($7::text, E'\\n', $8::text, E'\\n', $9::text))
   on conflict (store_id, id) do update set (username, first_name, last_name) = row (${NEW_NAMES.join(', ')}), last_seen_at = $6,
     search_text = concat(coalesce($7, split_part(c.search_text, E'\\n', 1)), E'\\n', ${newLine('lastName', 2, '$8')}, E'\\n', ${newLine('username', 3, '$9')}),
     edited_names = array(select e from unnest(c.edited_names) e where e <> all($11::text[])),
     updated_at = case when (${NEW_NAMES.join(', ')})
       is distinct from (c.username, c.first_name, c.last_name) then ${versionAfter('c.updated_at', '$6')} else c.updated_at end
   returning ${columns(['id', 'isBanned', 'bonusBalance'], 'c')}, c.xmax = 0 as "isNew"`,
);

/** $2 newcomer, $3 referrer. Returns no row if the referrer is not another customer of the store. */
export const LINK_REFERRER = statement(
  'link_referrer',
  `update customers c set referrer_id = r.id from customers r
   where c.store_id = $1 and c.id = $2 and c.referrer_id is null and r.store_id = $1 and r.id = $3 and r.id <> c.id
   returning (select m.referral->>'referralJoinBonus' from monetization m where m.store_id = $1) as "joinBonus"`,
);

/** The referrer of customer $2, locked. */
export const LOCK_REFERRER = statement(
  'lock_referrer',
  `select r.id::text as id from customers c join customers r on r.store_id = c.store_id and r.id = c.referrer_id
   where c.store_id = $1 and c.id = $2 for no key update of r`,
);

/** A larger balance would no longer be an exact JSON number. */
export const MAX_BALANCE = '90000000000000';

/**
 * SQL of the version 7 UUID `id` with another time. Ids are created before a statement waits for its lock, so
 * their own time does not show the order of the changes.
 */
const idAt = (at: string, id: string) =>
  `overlay(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') placing '-' from 9 for 0) || substr(${id}::text, 14)`;

/**
 * Locks the customer, inserts the entry and updates the balance, all in one statement. No entry is made if
 * the balance would leave its bounds or the order has already had this award. No row is returned for an
 * unknown customer. The time of an entry, which is also in its id, is that of the customer's new version.
 * Versions rise under the lock, so the ledger is in the order in which the balance changed.
 */
export const POST_BONUS = statement(
  'post_bonus',
  `with customer as (
    select c.bonus_balance, ${versionAfter('c.updated_at', '$10')} as at from customers c
    where c.store_id = $1 and c.id = $2 for no key update
  ), entry as (
    insert into bonus_entries (store_id, id, customer_id, delta, balance_after, kind, reason, order_id, referred_id, rules, created_at, actor_name)
    select $1, (${idAt('customer.at', '$3')})::uuid, $2, $4::numeric, customer.bonus_balance + $4::numeric, $5, $6, $7, $8, $9, customer.at, $11
    from customer where customer.bonus_balance + $4::numeric between 0 and ${MAX_BALANCE}
    on conflict (store_id, order_id, kind) where kind in ('cashback', 'referral_order') do nothing
    returning balance_after, created_at
  ), kept as (
    update customers c set bonus_balance = entry.balance_after, updated_at = entry.created_at from entry where c.store_id = $1 and c.id = $2
  )
  select customer.bonus_balance as before, entry.balance_after as after from customer left join entry on true`,
);

/**
 * $2 customer, $3 the id below which the page starts, $4 the number of rows. A customer without entries
 * returns one row whose id is null.
 */
export const LIST_BONUS_HISTORY = statement(
  'list_bonus_history',
  `select e.*, case when e.kind = 'cashback_reversal' then (
     select sum(f.delta) from bonus_entries f where f.store_id = $1 and f.order_id = e."orderId"::bigint and f.id < e.id
       and f.kind in ('cashback', 'cashback_reversal', 'cashback_return')) end as earned
   from customers c left join lateral (
     select ${columns(['id', 'delta', 'kind', 'reason', 'rules', 'createdAt'], 'b')}, b.balance_after as balance, b.order_id::text as "orderId",
       b.actor_name as "by"
     from bonus_entries b where b.store_id = c.store_id and b.customer_id = c.id and b.id < $3::uuid order by b.id desc limit $4
   ) e on true where c.store_id = $1 and c.id = $2 order by e.id desc`,
);
