import { Controller } from '@nestjs/common';
import {
  AnalyticsComparison,
  GetAnalyticsInput,
  OrderCounts,
} from '../../../groups/analytics/analytics.dto.js';
import { AnalyticsService } from '../../../groups/analytics/analytics.service.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, Route } from '../route.decorator.js';

/** Figures of the store that the pages show in addition to those of get_analytics. */
@Controller(API_PATH)
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  @Route({
    method: 'GET',
    path: 'stores/:storeId/orders/counts',
    groups: 'orders',
    summary: 'Count the orders of the store by their status, over all time',
    output: OrderCounts,
  })
  countOrders(ctx: StoreContext) {
    return this.analytics.countOrders(ctx);
  }

  @Route({
    method: 'GET',
    path: 'stores/:storeId/analytics/compare',
    groups: 'analytics',
    summary: 'Compare the analytics of a period with the period before it',
    description: 'Returns both windows as get_analytics returns one, and how their main figures differ.',
    input: GetAnalyticsInput,
    output: AnalyticsComparison,
  })
  compare(ctx: StoreContext, input: GetAnalyticsInput) {
    return this.analytics.compare(ctx, input);
  }
}
