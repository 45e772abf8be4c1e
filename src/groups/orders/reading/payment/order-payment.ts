import { notFound } from '../../../../platform/errors.js';
import type { StoreContext } from '../../../../platform/store/store-context.js';
import type { OrderPayment, OwedBackRecord } from './order-payment.dto.js';
import { GET_ORDER_PAYMENT, LIST_OWED_BACK } from './order-payment.statements.js';

/** @throws OperationError not_found */
export async function paymentOf(ctx: StoreContext, orderId: number): Promise<OrderPayment> {
  const [payment] = await ctx.session.read(GET_ORDER_PAYMENT, { orderId });
  if (!payment) throw notFound('Order', orderId);
  return payment;
}

/** The newest `take` cancelled orders that were paid and not refunded. */
export const ordersOwedBack = (ctx: StoreContext, take: number): Promise<OwedBackRecord[]> =>
  ctx.session.read(LIST_OWED_BACK, { take });
