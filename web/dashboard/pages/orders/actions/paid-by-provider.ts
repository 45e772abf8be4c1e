import { isWithin } from '../../../api/access';
import { useRead } from '../../../api/queries';
import { useStore } from '../../../api/store';
import type { Order } from '../order';

/**
 * Whether a provider takes the payment in the messenger, which then marks the order as paid by itself.
 * Somebody who may not see the providers decides for themselves.
 * @returns undefined until it is known
 */
export function usePaidByProvider({
  status,
  paymentMethod,
  currency,
  totalPrice,
}: Order): boolean | undefined {
  const store = useStore();
  const mayAsk =
    isWithin(store, ['get_checkout']) && isWithin(store, ['list_payment_providers']) && status === 'PENDING';
  const checkout = useRead('get_checkout', {}, { enabled: mayAsk });
  const providers = useRead('list_payment_providers', {}, { enabled: mayAsk });
  if (!mayAsk || checkout.error || providers.error) return false;
  if (!checkout.data || !providers.data) return undefined;
  return (
    totalPrice > 0 &&
    checkout.data.mode === 'native_payments' &&
    providers.data.items.some(
      ({ providerName, isActive, supportedCurrencies, hasToken }) =>
        providerName === paymentMethod &&
        isActive &&
        supportedCurrencies.includes(currency) &&
        (hasToken || currency === 'XTR'),
    )
  );
}
