import { ask, type Input } from '../../../api/client';
import { shownName } from '../../../parts/values/customer-name';
import type { OrderStatus } from '../../../parts/values/values';
import { contactOf } from '../../../parts/values/shipping-address';

/** What ship_orders takes at most. */
export const MOST = 100;
const SHIPPABLE: OrderStatus[] = ['PENDING', 'PROCESSING', 'SHIPPED'];

export interface Parcel {
  id: number;
  shopper: string;
  status: OrderStatus;
}

const ordersOf = (storeId: string, ids: number[]) =>
  Promise.all(ids.map((orderId) => ask(storeId, 'get_order', { orderId })));

/**
 * The orders to ship: those of the ids that are neither cancelled nor delivered, or without ids those that
 * wait for shipment, the oldest first.
 */
export async function parcelsOf(storeId: string, ids: number[]): Promise<Parcel[]> {
  if (ids.length === 0) {
    const { items } = await ask(storeId, 'find_orders', {
      statuses: ['PROCESSING'],
      sort: 'oldest',
      take: MOST,
    });
    return items.map(({ id, status, customerName, username, customerId }) => ({
      ...{ id, status },
      shopper: shownName({ id: customerId, name: customerName, username }),
    }));
  }
  return (await ordersOf(storeId, ids))
    .filter(({ status }) => SHIPPABLE.includes(status))
    .map(({ id, status, shippingAddress, messengerUserId }) => ({
      ...{ id, status },
      shopper: contactOf(shippingAddress)[0] ?? messengerUserId,
    }));
}

/** The orders that have been cancelled or delivered by now, with their status. */
export async function endedOf(storeId: string, ids: number[]): Promise<Partial<Record<number, OrderStatus>>> {
  const ended = (await ordersOf(storeId, ids)).filter(({ status }) => !SHIPPABLE.includes(status));
  return Object.fromEntries(ended.map(({ id, status }) => [id, status]));
}

/** The tracking numbers, by the order's number. */
export type Numbers = Partial<Record<number, string>>;

/** What is sent: the orders that have a number. Without a carrier that of an order stays. */
export function shipmentsOf(parcels: Parcel[], numbers: Numbers, carrier: string, notify: boolean) {
  const same = { notify, ...(carrier.trim() !== '' && { carrier: carrier.trim() }) };
  return parcels.flatMap(({ id }): Input<'ship_orders'>['items'] => {
    const trackingNumber = numbers[id]?.trim();
    return trackingNumber ? [{ orderId: id, trackingNumber, ...same }] : [];
  });
}
