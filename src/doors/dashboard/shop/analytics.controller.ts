import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { OrderCounts, OrderCountsInput } from '../../../groups/analytics/analytics.dto.js';
import { AnalyticsService } from '../../../groups/analytics/analytics.service.js';
import { FiguresInput, FiguresRecord } from '../../../groups/analytics/figures.dto.js';
import { Figures } from '../../../groups/analytics/figures.service.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

/** Figures of the store that the pages show. */
@Controller(API_PATH)
export class AnalyticsController {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly figures: Figures,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders/counts',
    groups: 'orders',
    summary: 'Count orders by their status, over all time or of those that were created in a window',
    input: OrderCountsInput,
    output: OrderCounts,
  })
  countOrders(ctx: StoreContext, input: OrderCountsInput) {
    return this.analytics.countOrders(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/figures',
    groups: 'analytics',
    summary: "Get the figures of a window by the store's days, from the sales report",
    input: FiguresInput,
    output: FiguresRecord,
  })
  get(ctx: StoreContext, input: FiguresInput) {
    return this.figures.get(ctx, input);
  }
}
