import { notFound } from '../../platform/errors.js';
import { toMajor } from '../../platform/money.js';
import type { Question } from '../../platform/store/question.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Order } from './order/order.entity.js';
import type { OrderIdInput } from './order/order.record.js';
import type { RefundOrderInput } from './order/orders.dto.js';

const inWords = (amount: string | number, currency: string) => `${toMajor(amount, currency)} ${currency}`;

async function find(ctx: StoreContext, orderId: number): Promise<Order> {
  const order = await ctx.rows(Order).findOne({ id: orderId });
  if (!order) throw notFound('Order', orderId);
  return order;
}

export const asksToDelete: Question = async (ctx, { orderId }: OrderIdInput) => {
  const { totalPrice, currency, status } = await find(ctx, orderId);
  return `Delete order ${orderId} (${status}, ${inWords(totalPrice, currency)}) for good?`;
};

export const asksToRefund: Question = async (ctx, { orderId, amount }: RefundOrderInput) => {
  const { totalPrice, currency, status } = await find(ctx, orderId);
  const refund = amount === undefined ? 'a refund' : `a refund of ${inWords(amount, currency)}`;
  return `Cancel order ${orderId} (${status}, ${inWords(totalPrice, currency)}) and record ${refund}?`;
};
