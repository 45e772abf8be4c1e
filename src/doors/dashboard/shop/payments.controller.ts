import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { ListPaymentsInput, PaymentRecord } from '../../../groups/payments/payments.dto.js';
import { ReceivedPayments } from '../../../groups/payments/received-payments.service.js';
import { OrderPayment, OwedBackRecord } from '../../../groups/orders/reading/payment/order-payment.dto.js';
import { TestPayments } from '../../../groups/payment-providers/payment-providers.dto.js';
import { testPaymentsOf } from '../../../groups/payment-providers/provider-test.service.js';
import { ordersOwedBack, paymentOf } from '../../../groups/orders/reading/payment/order-payment.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { OfOrderInput, orderIdOf } from './records.controller.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const MOST_OWED_BACK = 20;

/** Payments that shoppers made in the messenger (docs/behaviour.md §6.13). */
@Controller(API_PATH)
export class PaymentsController {
  constructor(private readonly payments: ReceivedPayments) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/payments',
    groups: 'orders',
    summary: 'List the payments reported by the messenger, newest first, including those that match no order',
    input: ListPaymentsInput,
    output: PaymentRecord,
    list: true,
  })
  list(ctx: StoreContext, input: ListPaymentsInput) {
    return this.payments.list(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/payments/test-mode',
    groups: 'every',
    summary: 'List the payment methods by which shoppers of a live shop pay without money',
    output: TestPayments,
  })
  testMode(ctx: StoreContext) {
    return testPaymentsOf(ctx);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders/:orderId/payment',
    groups: 'orders',
    summary: 'Get what was paid for an order, what was refunded, and what has to go back',
    input: OfOrderInput,
    output: OrderPayment,
  })
  ofOrder(ctx: StoreContext, { orderId }: OfOrderInput) {
    return paymentOf(ctx, orderIdOf(orderId));
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders/owed-back',
    groups: 'orders',
    summary: `List the newest ${MOST_OWED_BACK} cancelled orders that were paid and not refunded`,
    output: OwedBackRecord,
    list: true,
  })
  async owedBack(ctx: StoreContext) {
    return { items: await ordersOwedBack(ctx, MOST_OWED_BACK), nextCursor: null };
  }
}
