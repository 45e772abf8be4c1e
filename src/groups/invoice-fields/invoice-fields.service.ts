import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { changedFields } from '../../platform/store/audit.js';
import { lockStoreVersion } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import type {
  InvoiceFieldConfigRecord,
  UpdatedInvoiceFieldConfig,
  UpdateInvoiceFieldConfigInput,
} from './invoice-fields.dto.js';
import {
  GET_INVOICE_FIELDS,
  INVOICE_FIELDS_VERSION,
  UPDATE_INVOICE_FIELDS,
} from './invoice-fields.statements.js';

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
    above.map(
      (amount) => `suggestedTipAmounts holds ${amount}, which is above maxTipAmount: it is not offered`,
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
