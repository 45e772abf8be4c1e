import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { newId } from '../../platform/ids.js';
import { changedFields, deletion, REMOVED, withoutSecrets } from '../../platform/store/audit.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { Page } from '../../platform/schema/pages/page.js';
import { invalidInput } from '../../platform/errors.js';
import { MAX_OBJECT_BYTES } from '../../platform/schema/field-spec.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import { exceedsBytes } from '../../platform/schema/json/json-size.js';
import { createRecord, getRecord } from '../../platform/store/records.js';
import { nextVersion } from '../../platform/store/version.js';
import type { Deleted } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { isAgreement, PaymentProvider, sealPurpose } from './payment-provider.entity.js';
import { providerWarnings } from './provider-warnings.js';
import {
  CreatePaymentProviderInput,
  PaymentProviderRecord,
  type SavedPaymentProvider,
  type UpdatePaymentProviderInput,
} from './payment-providers.dto.js';
import {
  COUNT_PROVIDERS,
  FIND_NATIVE,
  LIST_ACTIVE_NAMES,
  LIST_PROVIDERS,
  LOCK_PROVIDERS,
} from './payment-provider.statements.js';
import {
  haveSameSecrets,
  lastCharacters,
  maskMetadata,
  type Metadata,
  unmaskMetadata,
} from './secret-metadata.js';

type Token = Pick<PaymentProvider, 'sealedToken' | 'tokenHint'>;
type StoredMetadata = Pick<PaymentProvider, 'metadata' | 'sealedMetadata'>;

/** Limited because the list of providers has no pages, and each provider may hold 16 KiB. */
const MAX_PROVIDERS = 50;

type ProviderRow = RowOf<typeof LIST_PROVIDERS>;

export const PROVIDER = { entity: PaymentProvider, name: 'Payment provider', output: PaymentProviderRecord };

/** The provider that a payment_button of the checkout form defines. */
export interface InlineProvider extends Pick<
  PaymentProvider,
  'providerName' | 'isTestMode' | 'isActive' | 'supportedCurrencies'
> {
  fieldId: string;
  /** The path of the field, for error messages. */
  path: string;
  providerToken: string;
  metadata: Metadata;
}

/**
 * The payment providers of a store. docs/payment-providers.md describes which kind of provider needs which
 * values; this is not enforced.
 */
@Injectable()
export class PaymentProviders {
  constructor(private readonly secrets: SecretBox) {}

  async list(ctx: StoreContext): Promise<Page<PaymentProviderRecord>> {
    const providers = await ctx.session.read(LIST_PROVIDERS);
    return { items: providers.map(asRecord), nextCursor: null };
  }

  async get(ctx: StoreContext, id: string): Promise<PaymentProviderRecord> {
    return asRecord(await getRecord(ctx, PROVIDER, id));
  }

  /**
   * The possible values of an order's paymentMethod if the checkout mode is not manual, sorted and each once,
   * with whether the messenger's invoices can be paid through it, and whether it can be paid at all.
   */
  activeNames(ctx: StoreContext): Promise<RowOf<typeof LIST_ACTIVE_NAMES>[]> {
    return ctx.session.read(LIST_ACTIVE_NAMES, { currency: ctx.currency });
  }

  /** @throws OperationError invalid_input if the store already has the maximum number of providers */
  async create(ctx: StoreContext, input: CreatePaymentProviderInput): Promise<SavedPaymentProvider> {
    const { providerToken, metadata, ...plain } = input;
    ctx.session.enqueue(LOCK_PROVIDERS);
    const [{ count }] = await ctx.session.query(COUNT_PROVIDERS);
    if (count >= MAX_PROVIDERS) throw tooMany('providerName');
    const id = newId();
    const values = {
      ...plain,
      ...this.sealToken(id, providerToken),
      ...(metadata && this.sealMetadata(id, unmaskMetadata(metadata, null))),
    };
    const created = asRecord(
      await createRecord(ctx, PROVIDER, withoutSecrets(CreatePaymentProviderInput, input), values, id),
    );
    return this.warned(ctx, created);
  }

  /** The provider, with what makes no sense about it while orders are paid in the messenger. */
  private async warned(ctx: StoreContext, provider: PaymentProviderRecord): Promise<SavedPaymentProvider> {
    const { id, providerName } = provider;
    const [{ isNative, hasNamesake }] = await ctx.session.query(FIND_NATIVE, { id, providerName });
    return withWarnings(provider, isNative ? providerWarnings(provider, ctx.currency, { hasNamesake }) : []);
  }

  /**
   * @throws OperationError not_found, or invalid_input for an inline provider or a mask that does not match a
   * stored secret
   */
  async update(ctx: StoreContext, input: UpdatePaymentProviderInput): Promise<SavedPaymentProvider> {
    const { id, providerToken, metadata, ...plain } = input;
    const before = await this.lockEditable(ctx, id);
    const stored = this.openMetadata(before);
    const whole = metadata && unmaskMetadata(metadata, stored);
    const given = {
      ...plain,
      ...(providerToken === undefined ? {} : this.sealToken(before.id, providerToken)),
      ...(whole && this.sealMetadata(before.id, whole)),
    };
    // A given secret is always sealed again. If only other fields are given and none of them changes, nothing
    // is saved.
    const isGivenAgain =
      Object.keys(changedFields(asRecord(before), asRecord({ ...before, ...plain }))).length === 0;
    if (providerToken === undefined && metadata === undefined && isGivenAgain) {
      ctx.audit.changes = {};
      return this.warned(ctx, asRecord(before));
    }
    const after: PaymentProvider = { ...before, ...given, updatedAt: nextVersion(ctx, before.updatedAt) };
    await ctx.rows(PaymentProvider).update({ id: before.id }, { ...given, updatedAt: after.updatedAt });
    ctx.audit.changes = {
      ...(providerToken === undefined
        ? {}
        : { providerToken: [before, after].map(tokenMarker) as [unknown, unknown] }),
      ...(given.sealedMetadata
        ? { metadata: [audited(before).metadata, audited(after).metadata] as [unknown, unknown] }
        : {}),
      ...changedFields(audited(before), audited(after)),
    };
    // While the secrets are the same, their masks are enough to put the rest back.
    if (whole && haveSameSecrets(stored ?? {}, whole))
      ctx.audit.kept = { before: { metadata: asRecord(before).metadata } };
    return this.warned(ctx, asRecord(after));
  }

  /** @throws OperationError not_found, or invalid_input for an inline provider */
  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    const provider = await this.lockEditable(ctx, id);
    await ctx.rows(PaymentProvider).delete({ id: provider.id });
    ctx.audit.changes = deletion(PaymentProviderRecord, { ...asRecord(provider), ...audited(provider) });
    return { id: provider.id, deleted: true };
  }

  /**
   * The token that the messenger's invoice needs, from the provider that a payment method names; empty for
   * XTR. Null if no active provider with that name accepts the store's currency in the messenger. If there
   * are several, a live one comes before one in test mode, and a newer one before an older one.
   */
  async nativeToken(ctx: StoreContext, providerName: string): Promise<string | null> {
    const isStars = ctx.currency === 'XTR';
    const candidates = (await ctx.session.read(LIST_PROVIDERS)).filter(
      (provider) =>
        provider.providerName === providerName &&
        provider.isActive &&
        !isAgreement(provider) &&
        provider.supportedCurrencies.includes(ctx.currency) &&
        (isStars || provider.sealedToken !== null),
    );
    const best = candidates.find(({ isTestMode }) => !isTestMode) ?? candidates[0];
    if (!best) return null;
    return isStars ? '' : this.secrets.open(best.sealedToken!, sealPurpose(best.id));
  }

  /**
   * Makes the inline rows match the form: one for each of its payment buttons, which is deleted together with
   * the button (docs/behaviour.md §6.7).
   * @returns the ids of the deleted and of the inserted rows
   * @throws OperationError invalid_input naming the field whose settings are too large, or whose row would be
   * one too many
   */
  async syncInline(
    ctx: StoreContext,
    wanted: InlineProvider[],
  ): Promise<{ removed: string[]; added: string[] }> {
    ctx.session.enqueue(LOCK_PROVIDERS);
    const all = await ctx.session.query(LIST_PROVIDERS);
    const rows = all.filter(isInline);
    const rowOf = (fieldId: string) => rows.find(({ metadata: own }) => own?.fieldId === fieldId);
    const fresh = wanted.filter(({ fieldId }) => !rowOf(fieldId));
    const others = all.length - rows.length;
    const room = MAX_PROVIDERS - others - (wanted.length - fresh.length);
    if (fresh.length > room && fresh.length > 0) throw tooMany(fresh[Math.max(0, room)].path);
    const kept = new Set<string>();
    const added: string[] = [];
    for (const { fieldId, path, providerToken, metadata, ...plain } of wanted) {
      const row = rowOf(fieldId);
      const id = row?.id ?? newId();
      const now = ctx.now();
      const values = {
        ...plain,
        ...this.sealToken(id, providerToken),
        ...this.sealMetadata(
          id,
          { ...metadata, source: INLINE, fieldId },
          `${path}: the settings of a payment_button`,
        ),
      };
      if (row) {
        kept.add(id);
        await ctx
          .rows(PaymentProvider)
          .update({ id }, { ...values, updatedAt: nextVersion(ctx, row.updatedAt) });
      } else {
        added.push(id);
        await ctx.rows(PaymentProvider).insert({ id, ...values, createdAt: now, updatedAt: now });
      }
    }
    const removed = rows.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
    for (const id of removed) await ctx.rows(PaymentProvider).delete({ id });
    return { removed, added };
  }

  /**
   * Locks a provider that these operations may change. An inline one is refused, because it belongs to its
   * payment_button field (docs/behaviour.md §6.7).
   */
  private async lockEditable(ctx: StoreContext, id: string): Promise<PaymentProvider> {
    const provider = await getRecord(ctx, PROVIDER, id, { lock: true });
    if (isInline(provider)) {
      throw invalidInput(
        'id names a provider that a payment_button checkout field manages: edit it through update_checkout',
      ).about('of_checkout_form');
    }
    ctx.checkUnchanged(provider.updatedAt);
    ctx.audit.target = `payment_provider:${provider.id}`;
    return provider;
  }

  private sealToken(id: string, token: string): Token {
    if (token === '') return { sealedToken: null, tokenHint: null };
    return { sealedToken: this.secrets.seal(token, sealPurpose(id)), tokenHint: lastCharacters(token) };
  }

  private sealMetadata(id: string, metadata: Metadata, what = 'metadata'): StoredMetadata {
    // The size is checked again, because secrets may have replaced their shorter masks.
    if (exceedsBytes(metadata, MAX_OBJECT_BYTES)) {
      throw invalidInput(`${what} must be at most ${MAX_OBJECT_BYTES} bytes of JSON`).about('bytes_most', {
        path: what.split(':')[0],
        most: MAX_OBJECT_BYTES,
      });
    }
    return {
      metadata: maskMetadata(metadata),
      sealedMetadata: this.secrets.seal(JSON.stringify(metadata), sealPurpose(id)),
    };
  }

  private openMetadata({ id, sealedMetadata }: PaymentProvider): Metadata | null {
    return sealedMetadata === null
      ? null
      : (JSON.parse(this.secrets.open(sealedMetadata, sealPurpose(id))) as Metadata);
  }
}

const tooMany = (field: string) =>
  invalidInput(`${field}: a store has at most ${MAX_PROVIDERS} payment providers`).about('providers_most', {
    path: field,
    most: MAX_PROVIDERS,
  });

const INLINE = 'inline';
const isInline = ({ metadata }: Pick<ProviderRow, 'metadata'>) => metadata?.source === INLINE;

function asRecord(provider: ProviderRow): PaymentProviderRecord {
  return { ...provider, metadata: provider.metadata ?? {}, hasToken: provider.sealedToken !== null };
}

/** All that an audit row may show about a token is that there is one. */
const tokenMarker = ({ sealedToken }: PaymentProvider) => (sealedToken === null ? null : REMOVED);

/** The fields of a provider that an audit row may compare. */
function audited({
  isTestMode,
  isActive,
  supportedCurrencies,
  metadata,
}: PaymentProvider): Record<string, unknown> {
  return withoutSecrets(CreatePaymentProviderInput, {
    isTestMode,
    isActive,
    supportedCurrencies,
    metadata: metadata ?? {},
  });
}
