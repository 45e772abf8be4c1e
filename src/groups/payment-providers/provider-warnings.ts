import { isCurrency } from '../../platform/money.js';
import { isAgreement } from './payment-provider.entity.js';
import type { PaymentProviderRecord } from './payment-providers.dto.js';

/** Warns of what no order of a store in mode native_payments can be paid through (docs/behaviour.md §5). */
export function providerWarnings(
  provider: PaymentProviderRecord,
  currency: string,
  { hasNamesake }: { hasNamesake: boolean },
): string[] {
  const { supportedCurrencies: given, providerName, hasToken, isActive, isTestMode } = provider;
  const strange = given.filter((code) => !isCurrency(code));
  return [
    ...(given.includes(currency)
      ? []
      : [`supportedCurrencies lack ${currency}: no order of this store can be paid through ${providerName}`]),
    ...(strange.length === 0
      ? []
      : [`supportedCurrencies hold ${strange.slice(0, 20).join(', ')}: neither ISO 4217 nor XTR`]),
    ...(hasToken || currency === 'XTR' || isAgreement(provider)
      ? []
      : [`providerToken is empty: no order can be paid through ${providerName}`]),
    ...(hasNamesake && isActive && !isTestMode
      ? [`providerName ${providerName} is that of another live provider: the newer one is paid`]
      : []),
  ];
}
