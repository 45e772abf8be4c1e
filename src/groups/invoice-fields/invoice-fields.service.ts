import { Injectable } from '@nestjs/common';
import { type RowOf, statement } from '../../platform/database/statement.js';
import { changedFields } from '../../platform/store/audit.js';
import { lockStoreVersion, storeVersion, versionAfter } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { warning } from '../../platform/problems.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import {
  InvoiceFieldConfigRecord,
  type UpdatedInvoiceFieldConfig,
  type UpdateInvoiceFieldConfigInput,
} from './invoice-fields.dto.js';
import { columns } from '../../platform/database/columns.js';

const COLUMNS = columns(InvoiceFieldConfigRecord, 'c');

const GET_INVOICE_FIELDS = statement(
  'get_invoice_fields',
  `select ${COLUMNS} from invoice_field_configs c where c.store_id = $store`,
);

const INVOICE_FIELDS_VERSION = statement(
  'version_of_invoice_field_configs',
  storeVersion('invoice_field_configs'),
);

/** Null keeps the stored value, except for the largest tip, which may be set to null. */
const UPDATE_INVOICE_FIELDS = statement(
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

type Row = RowOf<typeof GET_INVOICE_FIELDS>;

/** The details that native payments ask of the buyer, and the tips that they offer. */
@Injectable()
export class InvoiceFields {
  /** If nothing is stored, no details are collected and no tips are offered. */
  async get(ctx: StoreContext): Promise<InvoiceFieldConfigRecord> {
    const [row] = await ctx.session.read(GET_INVOICE_FIELDS);
    return withDefaults(row);
  }

  /** Fields that are not given keep their value, even if another update runs at the same time. */
  async update(ctx: StoreContext, input: UpdateInvoiceFieldConfigInput): Promise<UpdatedInvoiceFieldConfig> {
    await lockStoreVersion(ctx, INVOICE_FIELDS_VERSION);
    ctx.audit.target = `invoice_field_config:${ctx.storeId}`;
    const before = await this.get(ctx);
    if (Object.keys(input).length === 0) return warned(before);
    ctx.audit.changes = changedFields(before, input);
    const {
      needName,
      needPhoneNumber,
      needEmail,
      needShippingAddress,
      isFlexible,
      maxTipAmount,
      suggestedTipAmounts,
    } = input;
    const flags = { needName, needPhoneNumber, needEmail, needShippingAddress, isFlexible };
    const tips = { maxTipAmount, suggestedTipAmounts, isTipGiven: maxTipAmount !== undefined };
    const [row] = await ctx.session.query(UPDATE_INVOICE_FIELDS, { ...flags, ...tips, now: ctx.now() });
    return warned(withDefaults(row));
  }
}

function warned(config: InvoiceFieldConfigRecord): UpdatedInvoiceFieldConfig {
  const { maxTipAmount, suggestedTipAmounts } = config;
  const above = maxTipAmount === null ? [] : suggestedTipAmounts.filter((amount) => amount > maxTipAmount);
  return withWarnings(
    config,
    above.map((amount) =>
      warning(
        `suggestedTipAmounts holds ${amount}, which is above maxTipAmount: it is not offered`,
        'above_tip',
        { amount },
      ),
    ),
  );
}

function withDefaults(row: Row | undefined): InvoiceFieldConfigRecord {
  return {
    needName: row?.needName ?? false,
    needPhoneNumber: row?.needPhoneNumber ?? false,
    needEmail: row?.needEmail ?? false,
    needShippingAddress: row?.needShippingAddress ?? false,
    isFlexible: row?.isFlexible ?? false,
    maxTipAmount: row?.maxTipAmount ?? null,
    suggestedTipAmounts: row?.suggestedTipAmounts ?? [],
    updatedAt: row?.updatedAt ?? null,
  };
}
