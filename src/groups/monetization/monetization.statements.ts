import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { storeVersion, versionAfter } from '../../platform/store/version.js';
import { MonetizationRecord } from './monetization.dto.js';

const BLOCKS = columns(MonetizationRecord, 'm');

export const GET_MONETIZATION = statement(
  'get_monetization',
  `select ${BLOCKS} from monetization m where m.store_id = $1`,
);

export const MONETIZATION_VERSION = storeVersion('monetization');

/** Locks the row, so that the values before and after in the audit row belong to one change. */
export const LOCK_MONETIZATION = statement(
  'lock_monetization',
  `insert into monetization as m (store_id, updated_at) values ($1, $2) on conflict (store_id) do update set
     updated_at = ${versionAfter('m.updated_at', '$2')}
   returning ${BLOCKS}`,
);

export const SAVE_MONETIZATION = statement(
  'save_monetization',
  `update monetization m set bonus = coalesce($2, m.bonus), referral = coalesce($3, m.referral), cashback = coalesce($4, m.cashback)
   where m.store_id = $1`,
);

/** Blocks that reward nothing are not read. */
export const GET_REWARD_RULES = statement(
  'get_reward_rules',
  `select s.plan, case when (m.cashback->>'enabled')::boolean then m.cashback end as cashback,
     case when (m.referral->>'referrerOrderBonus')::numeric > 0 then m.referral end as referral
   from stores s left join monetization m on m.store_id = s.id where s.id = $1`,
);
