import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { NoInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { StoreOverview } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

@Controller('v1')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Operation({
    name: 'get_store_overview',
    scope: 'read',
    summary: 'Get the store at a glance',
    description:
      "Get the store, this token's scope and budgets left, bot, checkout, counts, webhook health and a " +
      'checklist: ready to sell?',
    input: NoInput,
    output: StoreOverview,
    beyond: true,
  })
  get(ctx: StoreContext, _input: NoInput) {
    return this.overview.get(ctx);
  }
}
