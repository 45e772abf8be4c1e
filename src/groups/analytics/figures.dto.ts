import { Example } from '../../platform/schema/example.js';
import { DateTime, Day, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { Nested, NestedList } from '../../platform/schema/list-fields.js';
import { StatusCounts } from './analytics.dto.js';
import { COMPARISONS } from './sales-report.dto.js';

@Example({ from: '2026-05-01T00:00:00+03:00', to: '2026-06-01T00:00:00+03:00' })
export class FiguresInput {
  @DateTime({ description: 'Orders created from this time.' }) from: string;
  @DateTime({ description: 'Orders created before this time.' }) to: string;
  @OneOf(COMPARISONS, { optional: true }) compareWith?: (typeof COMPARISONS)[number];
}

/** Figures of a window. Money in minor units. */
@Example({ revenue: 225400, orders: 46, placed: 52, average: 4900, visitors: 610 })
export class FigureSums {
  @Integer({ minorUnits: true, description: 'As get_sales_report counts it.' }) revenue: number;
  @Integer({ min: 0, description: 'The orders that revenue counts.' }) orders: number;
  @Integer({ min: 0, description: 'All orders, whatever their status.' }) placed: number;
  @Integer({ minorUnits: true, description: 'Revenue divided by orders, rounded down.' }) average: number;
  @Integer({ min: 0, description: 'The number of different shoppers.' }) visitors: number;
}

@Example({ revenue: 14700, orderCount: 3, visitors: 41 })
export class FiguresDay {
  @Day({ description: "The day of the store's calendar." }) date: string;
  @Integer({ minorUnits: true }) revenue: number;
  @Integer({ min: 0 }) orderCount: number;
  @Integer({ min: 0 }) visitors: number;
}

@Example({ timeZone: 'Europe/Kyiv' })
export class FiguresRecord {
  @DateTime() from: Date;
  @DateTime() to: Date;
  @Text({ description: "The store's time zone, by which the days go." }) timeZone: string;
  @Nested(() => FigureSums) total: FigureSums;
  @Nested(() => FigureSums, { optional: true }) comparedTotal?: FigureSums;
  @Nested(() => StatusCounts) statusCounts: StatusCounts;
  @NestedList(() => FiguresDay, {
    description: 'Every day of the window, oldest first; none of more than 400.',
  })
  days: FiguresDay[];
}
