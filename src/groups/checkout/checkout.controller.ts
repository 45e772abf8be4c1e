import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { NoInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { CheckoutRecord, UpdateCheckoutInput, UpdatedCheckout } from './checkout.dto.js';
import { CheckoutConfiguration } from './checkout-configuration.service.js';

@Controller('v1')
export class CheckoutController {
  constructor(private readonly checkout: CheckoutConfiguration) {}

  @Operation({
    name: 'get_checkout',
    scope: 'read',
    summary: 'Get the checkout configuration',
    description: 'Get the checkout form: mode, fields with their conditions, and catalog filters.',
    input: NoInput,
    output: CheckoutRecord,
  })
  get(ctx: StoreContext) {
    return this.checkout.current(ctx);
  }

  @Operation({
    name: 'update_checkout',
    scope: 'write',
    summary: 'Update the checkout configuration',
    description:
      'Change mode, fields or filters. A given array replaces the whole stored one: read get_checkout ' +
      'first and send every item.',
    input: UpdateCheckoutInput,
    output: UpdatedCheckout,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdateCheckoutInput) {
    return this.checkout.update(ctx, input);
  }
}
