import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { NoInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { MonetizationRecord, UpdatedMonetization, UpdateMonetizationInput } from './monetization.dto.js';
import { MonetizationService } from './monetization.service.js';

@Controller('v1')
export class MonetizationController {
  constructor(private readonly monetization: MonetizationService) {}

  @Operation({
    name: 'get_monetization',
    scope: 'read',
    summary: 'Get the monetization configuration',
    description: 'Get how customers earn and spend bonus: the bonus, referral and cashback blocks.',
    input: NoInput,
    output: MonetizationRecord,
  })
  get(ctx: StoreContext) {
    return this.monetization.get(ctx);
  }

  @Operation({
    name: 'update_monetization',
    scope: 'write',
    summary: 'Update the monetization configuration',
    description:
      'Replace whole blocks. A given block must be complete: read get_monetization first. The others stay.',
    input: UpdateMonetizationInput,
    output: UpdatedMonetization,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdateMonetizationInput) {
    return this.monetization.update(ctx, input);
  }
}
