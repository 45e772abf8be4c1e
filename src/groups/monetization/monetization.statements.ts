import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { storeVersion, versionAfter } from '../../platform/store/version.js';
import { type Bonus, type Cashback, MonetizationRecord, type Referral } from './monetization.dto.js';

const BLOCKS = columns(MonetizationRecord, 'm');
const row = as<{ bonus: Bonus | null; referral: Referral | null; cashback: Cashback | null }>();

/** The keys that no category has as its id, slug or name, and no product as its category's text. */
export const STRANGE_CATEGORY_KEYS = statement(
  'strange_category_keys',
  `select k.key as "key!" from unnest($keys::text[]) with ordinality as k (key, nth)
   where not exists (select from categories c where c.store_id = $store and c.id::text = k.key)
     and not exists (select from categories c where c.store_id = $store and c.slug = k.key)
     and not exists (select from categories c where c.store_id = $store and c.name = k.key)
     and not exists (select from products p where p.store_id = $store and p.category = k.key)
   order by k.nth`,
);

export const GET_MONETIZATION = statement(
  'get_monetization',
  `select ${BLOCKS} from monetization m where m.store_id = $store`,
  { row },
);

export const MONETIZATION_VERSION = statement('version_of_monetization', storeVersion('monetization'));

/** Locks the row, so that the values before and after in the audit row belong to one change. */
export const LOCK_MONETIZATION = statement(
  'lock_monetization',
  `insert into monetization as m (store_id, updated_at) values ($store, $now)
   on conflict (store_id) do update set updated_at = ${versionAfter('m.updated_at', '$now')}
   returning ${BLOCKS}`,
  { row },
);

export const SAVE_MONETIZATION = statement(
  'save_monetization',
  `update monetization m set bonus = coalesce($bonus?, m.bonus), referral = coalesce($referral?, m.referral),
     cashback = coalesce($cashback?, m.cashback)
   where m.store_id = $store`,
);

/** The rules that may reward a change of an order; null if the store gives no such reward. */
export interface RewardRules {
  cashback: Cashback | null;
  referral: Referral | null;
}

/** Blocks that reward nothing are not read. */
export const GET_REWARD_RULES = statement(
  'get_reward_rules',
  `select s.plan, case when (m.cashback->>'enabled')::boolean then m.cashback end as cashback,
     case when (m.referral->>'referrerOrderBonus')::numeric > 0 then m.referral end as referral
   from stores s left join monetization m on m.store_id = s.id where s.id = $store`,
  { row: as<RewardRules>() },
);

/** In minor units, of the last 90 days; null if no order was paid. */
export const AVERAGE_PAID_ORDER = statement(
  'average_paid_order',
  `select round(avg(o.total_price))::text as average from orders o
   where o.store_id = $store and o.status in ('PROCESSING', 'SHIPPED', 'DELIVERED')
     and o.created_at > $now::timestamptz - interval '90 days'`,
);
