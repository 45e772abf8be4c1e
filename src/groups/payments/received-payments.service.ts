import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { newId } from '../../platform/ids.js';
import type { Page } from '../../platform/schema/pages/page.js';
import { readPage } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { INSERT_REFUND, LOCK_ORDER_ROW } from '../orders/order/order.statements.js';
import { documentsChange } from '../../search/documents.js';
import {
  APPLY_PAYMENT,
  EXPECT_PAYMENT,
  FIND_PAYABLE,
  FIND_PAYMENT,
  INSERT_PAYMENT,
  LIST_PAYMENTS,
  LOCK_PAYABLE,
  REFUND_PAYMENT,
} from './payment.statements.js';
import type { ListPaymentsInput, PaymentOutcome, PaymentRecord } from './payments.dto.js';

export type PayableOrder = RowOf<typeof FIND_PAYABLE>;

export interface ReceivedPayment {
  chargeId: string;
  providerChargeId: string | null;
  payerId: string;
  invoicePayload: string;
  orderId: string | null;
  currency: string;
  /** Minor units. */
  amount: number;
  outcome: PaymentOutcome;
  /** What the payer typed. */
  orderInfo: Record<string, unknown> | null;
}

interface Accepted {
  shippingAddress: Record<string, unknown> | null;
  /** What was paid beyond the order's total, in minor units. */
  tip: bigint;
  amount: number;
}

/**
 * Every payment that the messenger reported, including those that match no order, because the store has the
 * money (docs/behaviour.md §6.13).
 */
@Injectable()
export class ReceivedPayments {
  /**
   * @param lock whether to lock the order for the rest of the transaction, so that two payments for one order
   * wait for each other
   */
  async payable(
    ctx: StoreContext,
    orderId: string | null,
    { lock = false } = {},
  ): Promise<PayableOrder | undefined> {
    const [order] = lock
      ? await ctx.session.query(LOCK_PAYABLE, { orderId })
      : await ctx.session.read(FIND_PAYABLE, { orderId });
    return order;
  }

  /** Notes that the shopper was just allowed to pay, so the order is not cancelled as unpaid meanwhile. */
  expect(ctx: StoreContext, orderId: string): void {
    ctx.session.enqueue(EXPECT_PAYMENT, { orderId, now: ctx.now() });
  }

  /** @returns whether this is the first report of the payment */
  async keep(ctx: StoreContext, payment: ReceivedPayment): Promise<boolean> {
    const orderInfo = payment.orderInfo && JSON.stringify(payment.orderInfo);
    const values = { ...payment, orderInfo, id: newId(), receivedAt: ctx.now() };
    return (await ctx.session.query(INSERT_PAYMENT, values)).length > 0;
  }

  /**
   * Writes an accepted payment, its tip and its shipping details to its order. The event of the change of
   * status that follows contains them.
   */
  apply(ctx: StoreContext, orderId: string, { shippingAddress, ...paid }: Accepted): void {
    const address = shippingAddress && JSON.stringify(shippingAddress);
    ctx.session.enqueue(APPLY_PAYMENT, { orderId, ...paid, shippingAddress: address });
    if (address) documentsChange(ctx, 'order', [orderId]);
  }

  /**
   * Notes that the messenger gave a payment back, and records the refund of the order that it was accepted
   * for. The order is locked first, as everywhere.
   * @returns undefined if the payment is not known, or was given back before
   */
  async refund(ctx: StoreContext, chargeId: string): Promise<RowOf<typeof REFUND_PAYMENT> | undefined> {
    const [found] = await ctx.session.query(FIND_PAYMENT, { chargeId });
    if (found?.orderId) await ctx.session.query(LOCK_ORDER_ROW, { orderId: found.orderId });
    const [payment] = await ctx.session.query(REFUND_PAYMENT, { chargeId, now: ctx.now() });
    if (payment?.outcome === 'accepted' && payment.orderId !== null) {
      ctx.session.enqueue(INSERT_REFUND, {
        id: newId(),
        orderId: payment.orderId,
        amount: payment.amount,
        reason: null,
        by: 'messenger',
        at: ctx.now(),
      });
    }
    return payment;
  }

  list(ctx: StoreContext, { outcome, orderId, ...page }: ListPaymentsInput): Promise<Page<PaymentRecord>> {
    return readPage(ctx, LIST_PAYMENTS, page, { outcome, orderId });
  }
}
