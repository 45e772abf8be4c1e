import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import type { Page } from '../../platform/schema/pages/page.js';
import { readNumberedPage } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  APPLY_PAYMENT,
  FIND_PAYABLE,
  INSERT_PAYMENT,
  LIST_PAYMENTS,
  LOCK_PAYABLE,
} from './payment.statements.js';
import type { ListPaymentsInput, PaymentOutcome, PaymentRecord } from './payments.dto.js';

/** The data of an order that a payment is checked against. */
export interface PayableOrder extends Record<string, unknown> {
  id: string;
  status: string;
  currency: string;
  /** Minor units. */
  totalPrice: string;
  /** Minor units. */
  tipAmount: string | null;
  /** The amount by which a payment may exceed the total, in minor units; 0 if the store accepts no tips. */
  maxTip: string;
  shippingAddress: Record<string, unknown> | null;
  customerId: string;
  isBanned: boolean;
}

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
      ? await ctx.session.run<PayableOrder>(LOCK_PAYABLE, orderId)
      : await ctx.session.read<PayableOrder>(FIND_PAYABLE, orderId);
    return order;
  }

  /** @returns whether this is the first report of the payment */
  async keep(ctx: StoreContext, payment: ReceivedPayment): Promise<boolean> {
    const { chargeId, providerChargeId, payerId, invoicePayload, orderId, currency, amount, outcome } =
      payment;
    const values = [
      newId(),
      chargeId,
      providerChargeId,
      payerId,
      invoicePayload,
      orderId,
      currency,
      amount,
      outcome,
      ctx.now(),
    ];
    return (await ctx.session.run(INSERT_PAYMENT, ...values)).length > 0;
  }

  /**
   * Adds the tip and the shipping details of an accepted payment to its order. The event of the change of
   * status that follows contains them.
   */
  apply(
    ctx: StoreContext,
    orderId: string,
    shippingAddress: Record<string, unknown> | null,
    tip: bigint,
  ): void {
    ctx.session.send(APPLY_PAYMENT, orderId, shippingAddress && JSON.stringify(shippingAddress), tip);
  }

  list(ctx: StoreContext, { outcome, orderId, ...page }: ListPaymentsInput): Promise<Page<PaymentRecord>> {
    return readNumberedPage(ctx, LIST_PAYMENTS, page, outcome, orderId);
  }
}
