import { Example } from '../../platform/schema/example.js';
import { DateTime, Day, Integer, Nested, NestedList, OneOf, Text } from '../../platform/schema/fields.js';
import type { OrderStatus } from '../order-status.js';

export const PERIODS = ['7d', '30d', '90d'] as const;
export type Period = (typeof PERIODS)[number];

@Example({ period: '30d' })
export class GetAnalyticsInput {
  @OneOf(PERIODS, { optional: true, description: 'Days back from now. Default 7d.' }) period?: Period;
}

@Example({ PENDING: 4, PROCESSING: 9, SHIPPED: 6, DELIVERED: 31, CANCELLED: 2 })
export class StatusCounts implements Record<OrderStatus, number> {
  @Integer({ min: 0 }) PENDING: number;
  @Integer({ min: 0 }) PROCESSING: number;
  @Integer({ min: 0 }) SHIPPED: number;
  @Integer({ min: 0 }) DELIVERED: number;
  @Integer({ min: 0 }) CANCELLED: number;
}

@Example({ productId: 'tee-logo', title: 'Logo T-shirt', quantity: 38, revenue: 93100 })
export class TopProduct {
  @Text({ description: "The product's external id." }) productId: string;
  @Text() title: string;
  @Integer({ above: 0 }) quantity: number;
  @Integer({ min: 0, description: 'Of its order lines, minor units.' }) revenue: number;
}

@Example({ revenue: 14700, orderCount: 3, visitors: 41 })
export class AnalyticsDay {
  @Day({ description: 'UTC.' }) date: string;
  @Integer({ min: 0, description: 'Minor units.' }) revenue: number;
  @Integer({ min: 0 }) orderCount: number;
  @Integer({ min: 0, description: 'Distinct shoppers of the whole day.' }) visitors: number;
}

@Example({
  period: '30d',
  from: '2026-04-04T09:30:00.000Z',
  currency: 'USD',
  revenue: 225400,
  averageOrderValue: 4900,
  orderCount: 52,
  uniqueVisitors: 610,
})
export class Analytics {
  @OneOf(PERIODS) period: Period;
  @DateTime({ description: 'Included.' }) from: string;
  @DateTime({ description: 'Now, included.' }) to: string;
  @Text() currency: string;
  @Integer({ min: 0, description: 'Minor units, of the orders that are PROCESSING, SHIPPED or DELIVERED.' }) revenue: number;
  @Integer({ min: 0, description: 'Minor units, rounded down, of the orders that revenue counts.' }) averageOrderValue: number;
  @Integer({ min: 0, description: 'Of every status.' }) orderCount: number;
  @Nested(() => StatusCounts) statusCounts: StatusCounts;
  @Integer({ min: 0, description: 'Distinct shoppers over the days of `daily`.' }) uniqueVisitors: number;
  @NestedList(() => TopProduct, { max: 10, description: 'By revenue, then by productId.' }) topProducts: TopProduct[];
  @NestedList(() => AnalyticsDay, {
    description: 'Every UTC day the window touches, oldest first; the first and last are partial.',
  })
  daily: AnalyticsDay[];
}
