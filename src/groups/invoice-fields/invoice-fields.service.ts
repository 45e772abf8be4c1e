import { Injectable } from '@nestjs/common';
import { changedFields } from '../../platform/store/audit.js';
import { statement } from '../../platform/database/statement.js';
import { lockStoreVersion, storeVersion } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import type { InvoiceFieldConfigRecord, UpdatedInvoiceFieldConfig, UpdateInvoiceFieldConfigInput } from './invoice-fields.dto.js';

type Row = { [Name in keyof InvoiceFieldConfigRecord]: InvoiceFieldConfigRecord[Name] | null };

const COLUMNS = `c.need_name as "needName", c.need_phone_number as "needPhoneNumber", c.need_email as "needEmail",
  c.need_shipping_address as "needShippingAddress", c.is_flexible as "isFlexible", c.max_tip_amount as "maxTipAmount",
  c.suggested_tip_amounts as "suggestedTipAmounts", c.updated_at as "updatedAt"`;

const GET = statement('get_invoice_fields', `select ${COLUMNS} from invoice_field_configs c where c.store_id = $1`);

const VERSION = storeVersion('invoice_field_configs');

/** Null keeps what is stored, save for the tip, which may be set to null: $10 tells whether it was given. */
const UPDATE = statement(
  'update_invoice_fields',
  `insert into invoice_field_configs as c (store_id, need_name, need_phone_number, need_email, need_shipping_address, is_flexible,
     max_tip_amount, suggested_tip_amounts, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8::integer[], $9)
   on conflict (store_id) do update set
     need_name = coalesce(excluded.need_name, c.need_name),
     need_phone_number = coalesce(excluded.need_phone_number, c.need_phone_number),
     need_email = coalesce(excluded.need_email, c.need_email),
     need_shipping_address = coalesce(excluded.need_shipping_address, c.need_shipping_address),
     is_flexible = coalesce(excluded.is_flexible, c.is_flexible),
     max_tip_amount = case when $10::boolean then excluded.max_tip_amount else c.max_tip_amount end,
     suggested_tip_amounts = coalesce(excluded.suggested_tip_amounts, c.suggested_tip_amounts),
     updated_at = greatest(excluded.updated_at, c.updated_at + interval '1 millisecond')
   returning ${COLUMNS}`,
);

/** Which of the buyer's details native payments collect, and the tips they offer. */
@Injectable()
export class InvoiceFields {
  /** Without a row: nothing is collected, no tips. */
  async get(ctx: StoreContext): Promise<InvoiceFieldConfigRecord> {
    const [row] = await ctx.session.read<Row>(GET);
    return withDefaults(row);
  }

  /** What is not given is kept, also when another update runs at the same time. */
  async update(ctx: StoreContext, input: UpdateInvoiceFieldConfigInput): Promise<UpdatedInvoiceFieldConfig> {
    await lockStoreVersion(ctx, VERSION);
    ctx.audit.target = `invoice_field_config:${ctx.storeId}`;
    const before = await this.get(ctx);
    if (Object.keys(input).length === 0) return warned(before);
    ctx.audit.changes = changedFields(before, input);
    const [row] = await ctx.session.run<Row>(
      UPDATE,
      input.needName ?? null,
      input.needPhoneNumber ?? null,
      input.needEmail ?? null,
      input.needShippingAddress ?? null,
      input.isFlexible ?? null,
      input.maxTipAmount ?? null,
      input.suggestedTipAmounts ?? null,
      ctx.now(),
      input.maxTipAmount !== undefined,
    );
    return warned(withDefaults(row));
  }
}

function warned(config: InvoiceFieldConfigRecord): UpdatedInvoiceFieldConfig {
  const { maxTipAmount, suggestedTipAmounts } = config;
  const above = maxTipAmount === null ? [] : suggestedTipAmounts.filter((amount) => amount > maxTipAmount);
  return withWarnings(
    config,
    above.map((amount) => `suggestedTipAmounts holds ${amount}, which is above maxTipAmount: it is not offered`),
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
