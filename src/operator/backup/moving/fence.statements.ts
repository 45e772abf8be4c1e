import { columns } from '../../../platform/database/columns.js';
import { systemStatement } from '../../../platform/database/statement.js';
import { SUSPENSION } from '../../../platform/store/call.js';

export const GET_STATE = systemStatement(
  'move_get_state',
  `select ${columns(['name', 'readOnlySince', ...SUSPENSION], 's')} from stores s where s.id = $storeId`,
);

export const IS_CAMPAIGN_SENT = systemStatement(
  'move_is_campaign_sent',
  `select from campaigns where store_id = $storeId and status = 'sending' and lease_until > now() limit 1`,
);

export const IS_DELIVERY_SENT = systemStatement(
  'move_is_delivery_sent',
  `select from webhook_deliveries where store_id = $storeId and status = 'pending'
     and lease_until > shop_now() limit 1`,
);

/** Keeps deliveries of the store from being sent. */
export const NOTE_PLACE = systemStatement(
  'move_note_place',
  `update stores set moved_to = $place where id = $storeId`,
);

/** Waits for the transactions that may change something in the store (enter_store). */
export const LOCK_STORE = systemStatement(
  'move_lock_store',
  `select pg_advisory_xact_lock(hashtextextended('store:' || $storeId::uuid, 0))`,
);

export const MAKE_READ_ONLY = systemStatement(
  'move_make_read_only',
  `update stores set read_only_since = coalesce(read_only_since, now()) where id = $storeId`,
);

/** A backup only reads. */
const OTHERS = `from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and a.datname = current_database()
    and a.usename = current_user and a.application_name <> 'shop-backup'`;

export const OTHER_TRANSACTIONS = systemStatement(
  'move_other_transactions',
  `select coalesce(array_agg(l.virtualtransaction), '{}') as "transactions!" ${OTHERS}`,
);

export const IS_ONE_LEFT = systemStatement(
  'move_is_one_left',
  `select ${OTHERS} and l.virtualtransaction = any($transactions) limit 1`,
);

export const REOPEN = systemStatement(
  'move_reopen',
  `update stores set read_only_since = null, moved_to = null, suspended_at = $suspendedAt?,
     suspended_reason = $suspendedReason? where id = $storeId`,
);

export const OPEN = systemStatement(
  'move_open',
  `update stores set read_only_since = null, moved_to = null where id = $storeId`,
);

export const SUSPEND = systemStatement(
  'move_suspend',
  `update stores set suspended_at = coalesce(suspended_at, now()), suspended_reason = $reason
   where id = $storeId`,
);

export const READ_ONLY_MS = systemStatement(
  'move_read_only_ms',
  `select round(extract(epoch from clock_timestamp() - read_only_since) * 1000)::float8 as "ms!"
   from stores where id = $storeId`,
);
