import { Injectable } from '@nestjs/common';
import { type RowOf, as, statement } from '../../platform/database/statement.js';
import { invalidInput } from '../../platform/errors.js';
import { changedFields } from '../../platform/store/audit.js';
import { declareSealed } from '../../platform/crypto/sealed-columns.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { type Sentence, warning } from '../../platform/problems.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import { PaymentProviders } from '../payment-providers/payment-providers.service.js';
import {
  type CheckoutFieldRecord,
  CheckoutRecord,
  type UpdateCheckoutInput,
  type UpdatedCheckout,
  type CheckoutFilterRecord,
} from './checkout.dto.js';
import { type ButtonSettings, buttonSettings, maskButtons, unmaskButtons } from './checkout-secrets.js';
import { checkoutWarnings, removedWarning } from './checkout-warnings.js';
import { areSame, inlineProviders } from './inline-providers.js';
import { columns } from '../../platform/database/columns.js';
import { versionAfter } from '../../platform/store/version.js';

const COLUMNS = columns(CheckoutRecord, 'c');
const row = as<{ fields: CheckoutFieldRecord[] | null; filters: CheckoutFilterRecord[] | null }>();

const GET_CHECKOUT = statement(
  'get_checkout',
  `select ${COLUMNS} from checkout_configurations c where c.store_id = $store`,
  { row },
);

/** With the sealed settings that are masked in `fields`; null if there are none. */
const LOCK_CHECKOUT = statement(
  'lock_checkout',
  `select ${COLUMNS}, c.sealed_secrets as "sealedSecrets"
   from checkout_configurations c where c.store_id = $store for update`,
  { row },
);

/**
 * This is a single statement, so that two concurrent updates cannot write back what they read before the
 * other.
 */
const UPDATE_CHECKOUT = statement(
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

type LockedRow = RowOf<typeof LOCK_CHECKOUT>;

/** Each of them is judged for every order (docs/behaviour.md §1.6). */
const MOST_CONDITIONS = 1_000;

function requireFewConditions(fields: CheckoutFieldRecord[]): void {
  const count = fields.reduce((sum, { conditions = [] }) => sum + conditions.length, 0);
  if (count > MOST_CONDITIONS)
    throw invalidInput(`fields must have at most 1,000 conditions in all; these have ${count}`).about(
      'conditions_most',
      { path: 'fields', count, most: 1_000 },
    );
}

/**
 * The form that the store shows to shoppers at checkout. Field ids may repeat; `evaluateCheckout` uses the
 * first field with an id. The provider settings in payment buttons are stored sealed and shown masked.
 */
@Injectable()
export class CheckoutConfiguration {
  constructor(
    private readonly secrets: SecretBox,
    private readonly providers: PaymentProviders,
  ) {}

  /** The stored configuration, with defaults for what was never set: mode manual, no fields, no filters. */
  async current(ctx: StoreContext): Promise<CheckoutRecord> {
    const [row] = await ctx.session.read(GET_CHECKOUT);
    return withDefaults(row);
  }

  /**
   * Each given array replaces the stored one, and what is not given is kept. On the dashboard, and when a
   * change is undone that did so, the inline providers are updated too.
   */
  async update(ctx: StoreContext, input: UpdateCheckoutInput): Promise<UpdatedCheckout> {
    const [locked] = await ctx.session.query(LOCK_CHECKOUT);
    ctx.checkUnchanged(locked?.updatedAt ?? null);
    ctx.audit.target = `checkout:${ctx.storeId}`;
    const before = withDefaults(locked);
    if (Object.keys(input).length === 0)
      return withWarnings(before, checkoutWarnings(before.fields, ctx.currency));
    const { mode, filters } = input;
    requireFewConditions(input.fields ?? []);
    const settings = this.openSettings(ctx, locked);
    const fields = input.fields && unmaskButtons(input.fields, settings);
    const masked = fields && maskButtons(fields);
    const [row] = await ctx.session.query(UPDATE_CHECKOUT, {
      mode,
      fields: json(masked),
      filters: json(filters),
      now: ctx.now(),
      sealedSecrets: fields && this.sealSettings(ctx, fields),
    });
    const after = withDefaults(row);
    ctx.audit.changes = changedFields(before, { mode, fields: masked, filters });
    // Different secrets may have the same mask, so the settings themselves are compared.
    if (fields && JSON.stringify(buttonSettings(fields)) !== JSON.stringify(settings)) {
      ctx.audit.changes.fields = [before.fields, after.fields];
    }
    const former = unmaskButtons(before.fields, settings);
    const isSynced = ctx.call?.transport === 'dashboard' || ctx.audit.kept?.inlineProviders;
    if (fields && settings.length > 0) ctx.audit.kept = { before: { fields: former } };
    if (fields && isSynced) await this.syncProviders(ctx, former, fields);
    return withWarnings(after, [
      ...(after.mode === 'native_payments' ? await this.unpayableWarning(ctx) : []),
      ...removedWarning('fields', before.fields, after.fields),
      ...removedWarning('filters', before.filters, after.filters),
      ...checkoutWarnings(after.fields, ctx.currency),
    ]);
  }

  private async unpayableWarning(ctx: StoreContext): Promise<Sentence[]> {
    const active = await this.providers.activeNames(ctx);
    if (active.some(({ canPay }) => canPay)) return [];
    const { currency } = ctx;
    const text = `mode native_payments: no active provider takes ${currency}, so no order can be paid`;
    return [warning(text, 'unpayable', { currency })];
  }

  private async syncProviders(
    ctx: StoreContext,
    former: CheckoutFieldRecord[],
    fields: CheckoutFieldRecord[],
  ): Promise<void> {
    const wanted = inlineProviders(fields, ctx.currency);
    const { removed, added } = await this.providers.syncInline(ctx, wanted);
    if (removed.length + added.length > 0) ctx.audit.changes!.inlineProviders = [removed, added];
    if (!areSame(inlineProviders(former, ctx.currency), wanted))
      ctx.audit.kept = { ...ctx.audit.kept, inlineProviders: true };
  }

  private openSettings(ctx: StoreContext, locked: LockedRow | undefined): ButtonSettings[] {
    if (!locked?.sealedSecrets) return [];
    return JSON.parse(this.secrets.open(locked.sealedSecrets, purpose(ctx))) as ButtonSettings[];
  }

  private sealSettings(ctx: StoreContext, fields: CheckoutFieldRecord[]): string | null {
    const settings = buttonSettings(fields);
    return settings.length === 0 ? null : this.secrets.seal(JSON.stringify(settings), purpose(ctx));
  }
}

const purposeOf = (storeId: string) => `checkout:${storeId}`;
const purpose = (ctx: StoreContext) => purposeOf(ctx.storeId);

declareSealed('checkout_configurations', ['sealed_secrets'], (row) => purposeOf(row.store_id));

// The driver would convert an array to a PostgreSQL array.
const json = (value: unknown[] | undefined) => (value === undefined ? null : JSON.stringify(value));

function withDefaults(row: RowOf<typeof GET_CHECKOUT> | undefined): CheckoutRecord {
  return {
    mode: row?.mode ?? 'manual',
    fields: row?.fields ?? [],
    filters: row?.filters ?? [],
    updatedAt: row?.updatedAt ?? null,
  };
}
