import { Controller } from '@nestjs/common';
import { ListPaymentsInput, PaymentRecord } from '../../../groups/payments/payments.dto.js';
import { ReceivedPayments } from '../../../groups/payments/received-payments.service.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, Route } from '../route.decorator.js';

/** Payments that shoppers made in the messenger (docs/behaviour.md §6.13). */
@Controller(API_PATH)
export class PaymentsController {
  constructor(private readonly payments: ReceivedPayments) {}

  @Route({
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
}
