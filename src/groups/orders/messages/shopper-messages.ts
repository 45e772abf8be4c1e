import type { StoreContext } from '../../../platform/store/store-context.js';
import type { OrderStatus } from '../../order-status.js';
import { QUEUE_MESSAGES } from './shopper-messages.statements.js';

/** Messages that a change of an order itself causes; the shipped one is asked for by ship_order. */
export type OrderMessageKind = 'placed' | 'paid' | 'cancelled' | 'delivered';

interface ToldOrder {
  id: number | string;
  customerId: string;
}

/**
 * Queues the messages of these kinds that the store has switched on, in the transaction of the change. They
 * are sent once it is committed, each kind at most once an order (docs/behaviour.md §6.19).
 */
export function queueMessages(
  ctx: StoreContext,
  { id: orderId, customerId }: ToldOrder,
  kinds: OrderMessageKind[],
): void {
  if (kinds.length === 0 || ctx.isQuiet) return;
  const ids = kinds.map(() => ctx.newId());
  ctx.session.enqueue(QUEUE_MESSAGES, { orderId, customerId, ids, kinds, now: ctx.now() });
}

/** @param before the statuses that the order had entered before */
export function messagesOfStatus(before: readonly OrderStatus[], to: OrderStatus): OrderMessageKind[] {
  if (to === 'PROCESSING') return before.includes(to) ? [] : ['paid'];
  if (to === 'CANCELLED') return ['cancelled'];
  return to === 'DELIVERED' ? ['delivered'] : [];
}
