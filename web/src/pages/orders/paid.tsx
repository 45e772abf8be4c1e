import { Badge, type OrderStatus } from '../../parts/values/values';
import { words } from '../../words';

/**
 * Whether an order is paid, as figures and rewards count it: from Processing on. Of a cancelled one the
 * status says nothing.
 */
export function PaidBadge({ status }: { status: OrderStatus }) {
  if (status === 'CANCELLED') return null;
  if (status === 'PENDING') return <Badge tone="amber">{words.orders.notPaid}</Badge>;
  return <Badge tone="green">{words.orders.paid}</Badge>;
}
