import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { CheckoutConfiguration } from '../../../groups/checkout/checkout-configuration.service.js';
import { deliveryField } from '../../../groups/checkout/checkout-rules.js';
import { selectOptions } from '../../../groups/checkout/checkout-value.js';
import { FoundOrder, ListedOrdersInput } from '../../../groups/orders/reading/order-search.dto.js';
import { OrderSearch } from '../../../groups/orders/reading/order-search.service.js';
import { Example } from '../../../platform/schema/example.js';
import { TextList } from '../../../platform/schema/list-fields.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

@Example({ ways: ['Courier', 'Pickup'] })
export class DeliveryWaysRecord {
  @TextList() ways: string[];
}

/** The list of orders as the pages narrow it (docs/behaviour.md §10). */
@Controller(API_PATH)
export class OrderListController {
  constructor(
    private readonly search: OrderSearch,
    private readonly checkout: CheckoutConfiguration,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders',
    groups: 'orders',
    summary: 'Find orders as find_orders does, and by their payment and delivery',
    input: ListedOrdersInput,
    output: FoundOrder,
    list: 'counted',
  })
  list(ctx: StoreContext, input: ListedOrdersInput) {
    return this.search.find(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders/deliveries',
    groups: 'orders',
    summary: 'List the ways of delivery that the checkout form offers',
    output: DeliveryWaysRecord,
  })
  async deliveries(ctx: StoreContext): Promise<DeliveryWaysRecord> {
    const { fields } = await this.checkout.current(ctx);
    return { ways: selectOptions(deliveryField(fields)?.options) };
  }
}
