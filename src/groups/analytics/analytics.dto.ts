import { Example } from '../../platform/schema/example.js';
import { DateTime, Day, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { Nested, NestedList } from '../../platform/schema/list-fields.js';
import type { OrderStatus } from '../order-status.js';

const PERIODS = ['7d', '30d', '90d'] as const;
export type Period = (typeof PERIODS)[number];

@Example({ period: '30d' })
export class GetAnalyticsInput {
  @OneOf(PERIODS, {
    optional: true,
    description: 'The window: the last 7, 30 or 90 days up to now. The default is 7d.',
    hint: 'Default 7d.',
  })
  period?: Period;
}

@Example({ PENDING: 4, PROCESSING: 9, SHIPPED: 6, DELIVERED: 31, CANCELLED: 2 })
export class StatusCounts implements Record<OrderStatus, number> {
  @Integer({ min: 0 }) PENDING: number;
  @Integer({ min: 0 }) PROCESSING: number;
  @Integer({ min: 0 }) SHIPPED: number;
  @Integer({ min: 0 }) DELIVERED: number;
  @Integer({ min: 0 }) CANCELLED: number;
}

@Example({ createdFrom: '2026-05-01T00:00:00+03:00' })
export class OrderCountsInput {
  @DateTime({ optional: true }) createdFrom?: string;
  @DateTime({ optional: true }) createdTo?: string;
}

@Example({ total: 52 })
export class OrderCounts {
  @Integer({ min: 0, description: 'The number of all orders, whatever their status.' })
  total: number;
  @Nested(() => StatusCounts, { description: 'How many of them have each status now.' })
  statusCounts: StatusCounts;
}

@Example({ productId: 'tee-logo', title: 'Logo T-shirt', quantity: 38, revenue: 93100 })
export class TopProduct {
  @Text({ description: "The product's external id, as orders carry it." }) productId: string;
  @Text() title: string;
  @Integer({ above: 0 }) quantity: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description: "The sum of the product's order lines before discounts, in minor units of the currency.",
  })
  revenue: number;
}

@Example({ revenue: 14700, orderCount: 3, visitors: 41 })
export class AnalyticsDay {
  @Day({ description: 'The calendar day in UTC.' }) date: string;
  @Integer({
    min: 0,
    minorUnits: true,
    description: 'The revenue of the day, in minor units of the currency.',
  })
  revenue: number;
  @Integer({ min: 0 }) orderCount: number;
  @Integer({ min: 0, description: 'The number of different shoppers who visited on that day.' })
  visitors: number;
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
  @DateTime({ description: 'The first moment of the window.' }) from: string;
  @DateTime({ description: 'The last moment of the window: the time of the call.' }) to: string;
  @Text() currency: string;
  @Integer({
    min: 0,
    minorUnits: true,
    description:
      'The sum of the orders that are PROCESSING, SHIPPED or DELIVERED, in minor units of the currency.',
  })
  revenue: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description:
      'The revenue divided by the number of orders that it counts, in minor units of the currency, rounded ' +
      'down.',
  })
  averageOrderValue: number;
  @Integer({ min: 0, description: 'The number of orders placed in the window, whatever their status.' })
  orderCount: number;
  @Nested(() => StatusCounts) statusCounts: StatusCounts;
  @Integer({ min: 0, description: 'The number of different shoppers who visited on the days in `daily`.' })
  uniqueVisitors: number;
  @NestedList(() => TopProduct, {
    max: 10,
    description: 'The 10 products with the highest revenue before discounts, then by productId.',
  })
  topProducts: TopProduct[];
  @NestedList(() => AnalyticsDay, {
    description:
      'One entry for each UTC day of the window, oldest first. The first and the last day are partial.',
  })
  daily: AnalyticsDay[];
}
