import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { newId } from '../../platform/ids.js';
import type { Page } from '../../platform/schema/pages/page.js';
import { readPage } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  APPLY_PAYMENT,
  EXPECT_PAYMENT,
  FIND_PAYABLE,
  INSERT_PAYMENT,
  LIST_PAYMENTS,
  LOCK_PAYABLE,
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
      ? await ctx.session.run(LOCK_PAYABLE, { orderId })
      : await ctx.session.read(FIND_PAYABLE, { orderId });
    return order;
  }

  /** Notes that the shopper was just allowed to pay, so the order is not cancelled as unpaid meanwhile. */
  expect(ctx: StoreContext, orderId: string): void {
    ctx.session.send(EXPECT_PAYMENT, { orderId, now: ctx.now() });
  }

  /** @returns whether this is the first report of the payment */
  async keep(ctx: StoreContext, payment: ReceivedPayment): Promise<boolean> {
    const values = { ...payment, id: newId(), receivedAt: ctx.now() };
    return (await ctx.session.run(INSERT_PAYMENT, values)).length > 0;
  }

  /**
   * Adds the tip and the shipping details of an accepted payment to its order. The event of the change of
   * status that follows contains them.
   */
  apply(ctx: StoreContext, orderId: string, details: Record<string, unknown> | null, tip: bigint): void {
    const shippingAddress = details && JSON.stringify(details);
    ctx.session.send(APPLY_PAYMENT, { orderId, shippingAddress, tip });
  }

  list(ctx: StoreContext, { outcome, orderId, ...page }: ListPaymentsInput): Promise<Page<PaymentRecord>> {
    return readPage(ctx, LIST_PAYMENTS, page, { outcome, orderId });
  }
}
