import type { RouteOutput } from '../../api/client';
import { Badge, type OrderStatus } from '../../parts/values/values';
import { words } from '../../words';

type Money = RouteOutput<'GET stores/{storeId}/orders/{orderId}/payment'>;

interface Props {
  status: OrderStatus;
  money: Pick<Money, 'owedBack' | 'isTest'> | undefined;
}

/**
 * Whether an order is paid, as figures and rewards count it: from Processing on. A cancelled one says whether
 * its money has gone back.
 */
export function PaidBadge({ status, money }: Props) {
  return (
    <>
      {status === 'PENDING' && <Badge tone="amber">{words.orders.notPaid}</Badge>}
      {status === 'CANCELLED' && money && money.owedBack > 0 && (
        <Badge tone="red">{words.orders.paidNotReturned}</Badge>
      )}
      {status !== 'PENDING' && status !== 'CANCELLED' && <Badge tone="green">{words.orders.paid}</Badge>}
      {money?.isTest && <Badge tone="amber">{words.orders.testPayment}</Badge>}
    </>
  );
}
