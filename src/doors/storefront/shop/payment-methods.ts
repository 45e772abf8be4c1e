import type { CheckoutMode } from '../../../groups/checkout/checkout.dto.js';
import { isAgreement } from '../../../groups/payment-providers/payment-provider.entity.js';
import type { PaymentProviderRecord } from '../../../groups/payment-providers/payment-providers.dto.js';
import type { PaymentMethodRecord } from './shop.dto.js';

/**
 * The ways to pay that shoppers are offered: those of active providers, each name once, a live one before one
 * in test mode. In the messenger's mode a provider that can make no invoice, and is not paid by agreement, is
 * none, nor is one that does not take the store's currency.
 */
export function paymentMethods(
  providers: PaymentProviderRecord[],
  mode: CheckoutMode,
  currency: string,
): PaymentMethodRecord[] {
  const methods = new Map<string, PaymentMethodRecord>();
  const liveFirst = [...providers].sort((a, b) => Number(a.isTestMode) - Number(b.isTestMode));
  for (const provider of liveFirst) {
    const { providerName: name, isTestMode, metadata } = provider;
    const takesCurrency = provider.supportedCurrencies.includes(currency);
    const isInvoice =
      mode === 'native_payments' && takesCurrency && !isAgreement(provider) && hasToken(provider, currency);
    const isPayable = mode !== 'native_payments' || isInvoice || (takesCurrency && isAgreement(provider));
    if (!provider.isActive || !isPayable || methods.has(name)) continue;
    methods.set(name, {
      name,
      label: textOf(metadata.label) ?? name,
      kind: isInvoice ? 'invoice' : 'agreement',
      fieldId: metadata.source === 'inline' ? textOf(metadata.fieldId) : null,
      isTest: isTestMode,
    });
  }
  return [...methods.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const hasToken = (provider: PaymentProviderRecord, currency: string) =>
  currency === 'XTR' || provider.hasToken;

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);
