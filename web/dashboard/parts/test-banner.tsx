import { Alert } from '@mantine/core';
import { isWithin } from '../api/access';
import { useRead } from '../api/queries';
import { useStore } from '../api/store';
import { GoTo } from './go-to';
import { words } from '../words/all';

/** Stands on every page while shoppers of a live shop can pay without money. */
export function TestBanner() {
  const store = useStore();
  const { data } = useRead('GET stores/{storeId}/payments/test-mode', {});
  if (!data?.methods.length) return null;
  const { testBanner, toLive } = words.paymentProviders;
  return (
    <Alert color="yellow" mb="md" className="no-print">
      {testBanner(data.methods.join(', '))}{' '}
      {isWithin(store, ['update_payment_provider']) && <GoTo to="payment-providers">{toLive}</GoTo>}
    </Alert>
  );
}
