import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { versionAfter } from '../../platform/store/version.js';
import { CheckoutRecord } from './checkout.dto.js';

const COLUMNS = columns(CheckoutRecord, 'c');

export const GET_CHECKOUT = statement(
  'get_checkout',
  `select ${COLUMNS} from checkout_configurations c where c.store_id = $1`,
);

export const LOCK_CHECKOUT = statement(
  'lock_checkout',
  `select ${COLUMNS}, c.sealed_secrets as "sealedSecrets" from checkout_configurations c where c.store_id = $1 for update`,
);

/**
 * This is a single statement, so that two concurrent updates cannot write back what they read before the
 * other.
 */
export const UPDATE_CHECKOUT = statement(
  'update_checkout',
  `insert into checkout_configurations as c (store_id, mode, fields, filters, updated_at, sealed_secrets)
   values ($1, $2, $3::json, $4::json, $5, $6)
   on conflict (store_id) do update set
     mode = coalesce(excluded.mode, c.mode),
     fields = coalesce(excluded.fields, c.fields),
     filters = coalesce(excluded.filters, c.filters),
     sealed_secrets = case when excluded.fields is null then c.sealed_secrets else excluded.sealed_secrets end,
     updated_at = ${versionAfter('c.updated_at', 'excluded.updated_at')}
   returning ${COLUMNS}`,
);
