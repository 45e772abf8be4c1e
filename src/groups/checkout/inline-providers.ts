import type { InlineProvider } from '../payment-providers/payment-providers.service.js';
import { type CheckoutFieldRecord, holdsProviderSettings } from './checkout.dto.js';
import { settingsOf } from './checkout-secrets.js';

/**
 * The provider rows of a form: one for each payment_button, of several with one id for the first. Settings that are a JSON object
 * give its values under the names of create_payment_provider; what else they hold is metadata. A button without such settings is
 * named by its label and takes the store's currency.
 */
export function inlineProviders(fields: readonly CheckoutFieldRecord[], currency: string): InlineProvider[] {
  const buttons = new Map<string, CheckoutFieldRecord>();
  for (const field of fields) if (holdsProviderSettings(field) && !buttons.has(field.id)) buttons.set(field.id, field);
  return [...buttons.values()].map((field) => inlineProvider(field, currency));
}

function inlineProvider(field: CheckoutFieldRecord, currency: string): InlineProvider {
  const { providerName, providerToken, isTestMode, isActive, supportedCurrencies, metadata, ...others } = settingsOf(field) ?? {};
  const isCurrencyList = Array.isArray(supportedCurrencies) && supportedCurrencies.length > 0;
  return {
    fieldId: field.id,
    providerName: text(providerName) || field.label || field.id || 'payment_button',
    providerToken: text(providerToken),
    isTestMode: isTestMode === true,
    isActive: isActive !== false,
    supportedCurrencies: isCurrencyList ? supportedCurrencies.slice(0, 200).map(String) : [currency],
    metadata: { ...others, ...(typeof metadata === 'object' ? metadata : {}) },
  };
}

const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : '');
