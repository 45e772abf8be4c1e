import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { versionAfter } from '../../platform/store/version.js';
import { type CheckoutFieldRecord, type CheckoutFilterRecord, CheckoutRecord } from './checkout.dto.js';

const COLUMNS = columns(CheckoutRecord, 'c');
const row = as<{ fields: CheckoutFieldRecord[] | null; filters: CheckoutFilterRecord[] | null }>();

export const GET_CHECKOUT = statement(
  'get_checkout',
  `select ${COLUMNS} from checkout_configurations c where c.store_id = $store`,
  { row },
);

/** With the sealed settings that are masked in `fields`; null if there are none. */
export const LOCK_CHECKOUT = statement(
  'lock_checkout',
  `select ${COLUMNS}, c.sealed_secrets as "sealedSecrets"
   from checkout_configurations c where c.store_id = $store for update`,
  { row },
);

/**
 * This is a single statement, so that two concurrent updates cannot write back what they read before the
 * other.
 */
export const UPDATE_CHECKOUT = statement(
  'update_checkout',
  `insert into checkout_configurations as c (store_id, mode, fields, filters, updated_at, sealed_secrets)
   values ($store, $mode?, $fields?::json, $filters?::json, $now, $sealedSecrets?)
   on conflict (store_id) do update set
     mode = coalesce(excluded.mode, c.mode),
     fields = coalesce(excluded.fields, c.fields),
     filters = coalesce(excluded.filters, c.filters),
     sealed_secrets = case when excluded.fields is null then c.sealed_secrets
       else excluded.sealed_secrets end,
     updated_at = ${versionAfter('c.updated_at', 'excluded.updated_at')}
   returning ${COLUMNS}`,
  { row },
);
