import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { QuoteRecord } from '../../storefront/quote.js';
import { PlacedOrderRecord } from '../../storefront/storefront.dto.js';
import type { Caller } from '../caller.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';
import { NewOrderFormRecord, NewOrderInput } from './new-order.dto.js';
import { OrdersByHand } from './orders-by-hand.service.js';

const PATH = 'stores/:storeId/orders';

/** Orders that members place: for a customer who wrote or rang, or to try the shop. */
@Controller(API_PATH)
export class NewOrderController {
  constructor(private readonly orders: OrdersByHand) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: `${PATH}/form`,
    groups: 'orders',
    scope: 'write',
    summary: 'Get the checkout form and the ways to pay, for an order by hand',
    output: NewOrderFormRecord,
  })
  form(ctx: StoreContext, _input: object, { session }: Caller) {
    return this.orders.form(ctx, session!.userId);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/quote`,
    groups: 'orders',
    scope: 'write',
    summary: 'Ask what an order by hand would cost',
    description:
      'Takes what the placing takes, and refuses what it would refuse, except that required answers of the ' +
      'form may still be missing. Nothing is changed.',
    input: NewOrderInput,
    output: QuoteRecord,
  })
  quote(ctx: StoreContext, input: NewOrderInput, caller: Caller) {
    return this.orders.quote(ctx, input, caller.session!.userId);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: PATH,
    groups: 'orders',
    summary: 'Place an order for a customer, or for oneself',
    description: 'Priced, and refused, as an order of a shopper. The answer is the order, with its invoice.',
    input: NewOrderInput,
    output: PlacedOrderRecord,
    audited: 'order.place',
  })
  place(ctx: StoreContext, input: NewOrderInput, caller: Caller) {
    return this.orders.place(ctx, input, caller.session!.userId);
  }
}
