import { Injectable } from '@nestjs/common';
import { changedFields, withoutSecrets } from '../../platform/audit/audit.js';
import { statement } from '../../platform/database/statement.js';
import { lockStoreVersion, storeVersion } from '../../platform/operation/precondition.js';
import type { StoreContext } from '../../platform/operation/store-context.js';
import {
  type CheckoutFieldRecord,
  type CheckoutFilterRecord,
  type CheckoutMode,
  type CheckoutRecord,
  UpdateCheckoutInput,
} from './checkout.dto.js';

interface Row extends Record<string, unknown> {
  mode: CheckoutMode | null;
  fields: CheckoutFieldRecord[] | null;
  filters: CheckoutFilterRecord[] | null;
  updatedAt: Date;
}

const COLUMNS = `c.mode, c.fields, c.filters, c.updated_at as "updatedAt"`;

const GET = statement('get_checkout', `select ${COLUMNS} from checkout_configurations c where c.store_id = $1`);

const VERSION = storeVersion('checkout_configurations');

/** One statement, so that of two concurrent updates neither writes back what it read before the other. */
const UPDATE = statement(
  'update_checkout',
  `insert into checkout_configurations as c (store_id, mode, fields, filters, updated_at)
   values ($1, $2, $3::json, $4::json, $5)
   on conflict (store_id) do update set
     mode = coalesce(excluded.mode, c.mode),
     fields = coalesce(excluded.fields, c.fields),
     filters = coalesce(excluded.filters, c.filters),
     updated_at = greatest(excluded.updated_at, c.updated_at + interval '1 millisecond')
   returning ${COLUMNS}`,
);

/** What the store asks of a shopper at checkout. Field ids may repeat; `evaluateCheckout` lets the first count. */
@Injectable()
export class CheckoutConfiguration {
  /** The stored configuration, with defaults for what was never given: mode manual, no fields, no filters. */
  async current(ctx: StoreContext): Promise<CheckoutRecord> {
    const [row] = await ctx.session.read<Row>(GET);
    return withDefaults(row);
  }

  /** Each array given replaces the stored one; what is not given is kept. */
  async update(ctx: StoreContext, input: UpdateCheckoutInput): Promise<CheckoutRecord> {
    await lockStoreVersion(ctx, VERSION);
    ctx.audit.target = `checkout:${ctx.storeId}`;
    const before = await this.current(ctx);
    if (Object.keys(input).length === 0) return before;
    ctx.audit.changes = changedFields(withoutSecrets(UpdateCheckoutInput, before), withoutSecrets(UpdateCheckoutInput, input));
    const { mode, fields, filters } = input;
    const [row] = await ctx.session.run<Row>(UPDATE, mode ?? null, json(fields), json(filters), ctx.now());
    return withDefaults(row);
  }
}

// The driver would take an array for a PostgreSQL array.
const json = (value: unknown[] | undefined) => (value === undefined ? null : JSON.stringify(value));

function withDefaults(row: Row | undefined): CheckoutRecord {
  return {
    mode: row?.mode ?? 'manual',
    fields: row?.fields ?? [],
    filters: row?.filters ?? [],
    updatedAt: row?.updatedAt ?? null,
  };
}
