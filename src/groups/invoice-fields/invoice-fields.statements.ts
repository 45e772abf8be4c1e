import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { storeVersion, versionAfter } from '../../platform/store/version.js';
import { InvoiceFieldConfigRecord } from './invoice-fields.dto.js';

const COLUMNS = columns(InvoiceFieldConfigRecord, 'c');

export const GET_INVOICE_FIELDS = statement(
  'get_invoice_fields',
  `select ${COLUMNS} from invoice_field_configs c where c.store_id = $store`,
);

export const INVOICE_FIELDS_VERSION = statement(
  'version_of_invoice_field_configs',
  storeVersion('invoice_field_configs'),
);

/** Null keeps the stored value, except for the largest tip, which may be set to null. */
export const UPDATE_INVOICE_FIELDS = statement(
  'update_invoice_fields',
  `insert into invoice_field_configs as c (store_id, need_name, need_phone_number, need_email,
     need_shipping_address, is_flexible, max_tip_amount, suggested_tip_amounts, updated_at)
   values ($store, $needName?, $needPhoneNumber?, $needEmail?, $needShippingAddress?, $isFlexible?,
     $maxTipAmount?, $suggestedTipAmounts?::integer[], $now)
   on conflict (store_id) do update set
     need_name = coalesce(excluded.need_name, c.need_name),
     need_phone_number = coalesce(excluded.need_phone_number, c.need_phone_number),
     need_email = coalesce(excluded.need_email, c.need_email),
     need_shipping_address = coalesce(excluded.need_shipping_address, c.need_shipping_address),
     is_flexible = coalesce(excluded.is_flexible, c.is_flexible),
     max_tip_amount = case when $isTipGiven::boolean then excluded.max_tip_amount else c.max_tip_amount end,
     suggested_tip_amounts = coalesce(excluded.suggested_tip_amounts, c.suggested_tip_amounts),
     updated_at = ${versionAfter('c.updated_at', 'excluded.updated_at')}
   returning ${COLUMNS}`,
);
