import type { InlineProvider } from '../payment-providers/payment-providers.service.js';
import { type CheckoutFieldRecord, holdsProviderSettings } from './checkout.dto.js';
import { settingsOf } from './checkout-secrets.js';

/**
 * The provider rows of a form: one for each payment_button, or for the first one if several have the same id.
 * If the settings are a JSON object, its values under the names of create_payment_provider set those fields,
 * and the rest is metadata. A button without such settings is named by its label and uses the currency of the
 * store.
 */
export function inlineProviders(fields: readonly CheckoutFieldRecord[], currency: string): InlineProvider[] {
  const buttons = new Map<string, InlineProvider>();
  for (const [i, field] of fields.entries()) {
    if (!holdsProviderSettings(field) || buttons.has(field.id)) continue;
    buttons.set(field.id, inlineProvider(field, `fields[${i}]`, currency));
  }
  return [...buttons.values()];
}

/** Whether the rows would be the same, wherever in the form their buttons are. */
export function areSame(some: readonly InlineProvider[], others: readonly InlineProvider[]): boolean {
  const byField = (providers: readonly InlineProvider[]) =>
    JSON.stringify(
      providers.map(({ path: _, ...row }) => row).sort((a, b) => (a.fieldId < b.fieldId ? -1 : 1)),
    );
  return byField(some) === byField(others);
}

function inlineProvider(field: CheckoutFieldRecord, path: string, currency: string): InlineProvider {
  const { providerName, providerToken, isTestMode, isActive, supportedCurrencies, metadata, ...others } =
    settingsOf(field) ?? {};
  const currencies = Array.isArray(supportedCurrencies)
    ? supportedCurrencies.map(text).filter((code) => code !== '')
    : [];
  return {
    path,
    fieldId: field.id,
    providerName: text(providerName) || field.label || field.id || 'payment_button',
    providerToken: text(providerToken),
    isTestMode: isTestMode === true,
    isActive: isActive !== false,
    supportedCurrencies: currencies.length > 0 ? currencies.slice(0, 200) : [currency],
    metadata: { ...others, ...(typeof metadata === 'object' ? metadata : {}) },
  };
}

const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : '');
