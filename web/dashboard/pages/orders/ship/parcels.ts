import { ask, type Input } from '../../../api/client';
import type { OrderStatus } from '../../../parts/values/values';
import { variantOf } from '../order';
import { addressOf, contactOf } from '../../../parts/values/shipping-address';

/** What ship_orders takes at most. */
export const MOST = 100;
const SHIPPABLE: OrderStatus[] = ['PENDING', 'PROCESSING', 'SHIPPED'];

export interface Parcel {
  id: number;
  shopper: string;
  status: OrderStatus;
  /** What goes into the parcel, and where it goes, each in one line. */
  items: string;
  address: string;
}

const ordersOf = (storeId: string, ids: number[]) =>
  Promise.all(ids.map((orderId) => ask(storeId, 'get_order', { orderId })));

/**
 * The orders to ship: those of the ids that are neither cancelled nor delivered, or without ids those that
 * wait for shipment, the oldest first.
 */
export async function parcelsOf(storeId: string, ids: number[]): Promise<Parcel[]> {
  const wanted = ids.length > 0 ? ids : await waiting(storeId);
  return (await ordersOf(storeId, wanted))
    .filter(({ status }) => SHIPPABLE.includes(status))
    .map(({ id, status, items, shippingAddress, messengerUserId }) => ({
      ...{ id, status },
      shopper: contactOf(shippingAddress)[0] ?? messengerUserId,
      items: items
        .map((item) => [`${item.quantity} × ${item.title}`, variantOf(item)].filter(Boolean).join(', '))
        .join('; '),
      address: addressOf(shippingAddress).join(', '),
    }));
}

/** The orders that wait for shipment, the oldest first. */
async function waiting(storeId: string): Promise<number[]> {
  const search = { statuses: ['PROCESSING' as const], sort: 'oldest' as const, take: MOST };
  return (await ask(storeId, 'find_orders', search)).items.map(({ id }) => id);
}

/** The orders that have been cancelled or delivered by now, with their status. */
export async function endedOf(storeId: string, ids: number[]): Promise<Partial<Record<number, OrderStatus>>> {
  const ended = (await ordersOf(storeId, ids)).filter(({ status }) => !SHIPPABLE.includes(status));
  return Object.fromEntries(ended.map(({ id, status }) => [id, status]));
}

/** What is typed of each parcel, by the order's number. */
export interface Typed {
  number: string;
  /** Empty: the one above. */
  carrier: string;
  /** Whether it goes without a number, such as by the shop's own courier. */
  isReady: boolean;
}
export type Parcels = Partial<Record<number, Typed>>;
export const NOTHING: Typed = { number: '', carrier: '', isReady: false };

/** What is sent: the orders with a number, and those that go by a carrier without one. */
export function shipmentsOf(parcels: Parcel[], typed: Parcels, carrier: string, notify: boolean) {
  return parcels.flatMap(({ id }): Input<'ship_orders'>['items'] => {
    const { number, carrier: own, isReady } = typed[id] ?? NOTHING;
    const [trackingNumber, by] = [number.trim(), own.trim() || carrier.trim()];
    if (!trackingNumber && !(isReady && by)) return [];
    return [{ orderId: id, notify, ...(by && { carrier: by }), ...(trackingNumber && { trackingNumber }) }];
  });
}
