import { useRead } from '../../../api/queries';
import type { OrderStatus } from '../../../parts/values/values';
import type { Order } from '../order';

/** What an order was paid and what of it was returned, in minor units; nothing until it is known. */
export const useMoneyOf = ({ id }: Pick<Order, 'id'>) =>
  useRead('GET stores/{storeId}/orders/{orderId}/payment', { orderId: String(id) }).data;

export type MoneyOf = NonNullable<ReturnType<typeof useMoneyOf>>;

/** Whether a status decides what happens to money: that of a cancelled order goes back, others keep it. */
export const movesMoney = (order: Order, wanted: OrderStatus, money: MoneyOf | undefined) =>
  wanted === 'CANCELLED'
    ? (money?.paid ?? 0) > (money?.refunded ?? 0)
    : order.status === 'CANCELLED' && (money?.refunded ?? 0) > 0;
