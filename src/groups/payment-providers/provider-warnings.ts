import { isCurrency } from '../../platform/money.js';
import { type Sentence, warning } from '../../platform/problems.js';
import { isAgreement } from './payment-provider.entity.js';
import type { PaymentProviderRecord } from './payment-providers.dto.js';

/** Warns of what no order of a store in mode native_payments can be paid through (docs/behaviour.md §5). */
export function providerWarnings(
  provider: PaymentProviderRecord,
  currency: string,
  { hasNamesake }: { hasNamesake: boolean },
): Sentence[] {
  const { supportedCurrencies: given, providerName: name, hasToken, isActive, isTestMode } = provider;
  const strange = given.filter((code) => !isCurrency(code));
  const codes = strange.slice(0, 20).join(', ');
  const lacking = `supportedCurrencies lack ${currency}: no order of this store can be paid through ${name}`;
  const namesake = `providerName ${name} is that of another live provider: the newer one is paid`;
  return [
    ...(given.includes(currency) ? [] : [warning(lacking, 'lacks_currency', { name, currency })]),
    ...(strange.length === 0
      ? []
      : [warning(`supportedCurrencies hold ${codes}: neither ISO 4217 nor XTR`, 'no_currencies', { codes })]),
    ...(hasToken || currency === 'XTR' || isAgreement(provider)
      ? []
      : [warning(`providerToken is empty: no order can be paid through ${name}`, 'no_token', { name })]),
    ...(hasNamesake && isActive && !isTestMode ? [warning(namesake, 'namesake', { name })] : []),
  ];
}
