import { Example } from '../../platform/schema/example.js';
import { DateTime, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { Nested, NestedList } from '../../platform/schema/list-fields.js';
import { TIME_GROUPS } from './report-spans.js';

const GROUPS = [
  ...TIME_GROUPS,
  ...(['product', 'variant', 'category', 'brand', 'promocode', 'payment_method', 'customer'] as const),
] as const;
export type ReportGroup = (typeof GROUPS)[number];

export const COMPARISONS = ['previous_period', 'previous_month', 'previous_year'] as const;
export type Comparison = (typeof COMPARISONS)[number];

@Example({
  ...{ from: '2026-05-01T00:00:00+03:00', to: '2026-06-01T00:00:00+03:00', groupBy: 'week' },
  ...{ compareWith: 'previous_period', timeZone: 'Europe/Kyiv' },
})
export class GetSalesReportInput {
  @DateTime({ description: 'Orders created from this time.', hint: 'Inclusive.' }) from: string;
  @DateTime({ description: 'Orders created before this time.', hint: 'Exclusive.' }) to: string;
  @OneOf(GROUPS, { description: 'What a row is. A week starts on Monday.' }) groupBy: ReportGroup;
  @Text({
    min: 1,
    max: 64,
    optional: true,
    description: "The IANA time zone of days, weeks and months. Default: the store's.",
    hint: "IANA; default the store's.",
  })
  timeZone?: string;
  @OneOf(COMPARISONS, {
    optional: true,
    description:
      'Adds comparedTotal, and compared to each row: the same length just before, or the same dates one ' +
      'calendar month or year before.',
    hint: 'Adds compared sums.',
  })
  compareWith?: Comparison;
  @Integer({ min: 1, max: 1000, optional: true, description: 'The most rows. Default 100.' }) take?: number;
}

/** Sums over orders. Money in minor units. */
@Example({
  ...{ orders: 31, quantity: 52, revenue: 225400, discount: 4300, bonus: 900, tips: 1200, refunded: 2450 },
})
export class ReportSums {
  @Integer({ min: 0, description: 'All orders, whatever their status.' }) orders: number;
  @Integer({ min: 0, description: 'Pieces, of the orders that revenue counts.' }) quantity: number;
  @Integer({
    minorUnits: true,
    description: 'Of orders that are PROCESSING, SHIPPED or DELIVERED; with tips.',
  })
  revenue: number;
  @Integer({ minorUnits: true, description: "Promocodes and the form's decreases, of the same orders." })
  discount: number;
  @Integer({ minorUnits: true, description: 'Paid with bonus, of the same orders.' }) bonus: number;
  @Integer({ min: 0, minorUnits: true, description: 'Of the same orders.' }) tips: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description: 'Recorded for all orders of the window, whatever their status.',
  })
  refunded: number;
}

@Example({ key: '2026-05-04', label: null })
export class ReportRow extends ReportSums {
  @Text({
    nullable: true,
    typedByShopper: true,
    description:
      'A day, the Monday of a week, a month as YYYY-MM, or what orders or lines have in common: an id, a ' +
      'code, a name; "none" without a brand or category. Null for what belongs to none: orders without a ' +
      'promocode; surcharges, tips and refunds, which belong to no line.',
  })
  key: string | null;
  @Text({ nullable: true, typedByShopper: true, description: 'The name of what key identifies.' }) label:
    string | null;
  @Nested(() => ReportSums, {
    optional: true,
    nullable: true,
    description: "With compareWith: the row's sums then; by time those of the span in the same place.",
  })
  compared?: ReportSums | null;
}

@Example({
  ...{ from: '2026-04-30T21:00:00.000Z', to: '2026-05-31T21:00:00.000Z', timeZone: 'Europe/Kyiv' },
  ...{ currency: 'USD', rowCount: 1, rest: null },
  ...{ comparedFrom: '2026-03-30T21:00:00.000Z', comparedTo: '2026-04-30T21:00:00.000Z' },
})
export class SalesReport {
  @DateTime() from: Date;
  @DateTime() to: Date;
  @Text() timeZone: string;
  @Text() currency: string;
  @Nested(() => ReportSums) total: ReportSums;
  @NestedList(() => ReportRow, { description: 'By time; otherwise the highest revenue first.' })
  rows: ReportRow[];
  @Integer({ min: 0, description: 'How many rows there are, also those beyond take.' }) rowCount: number;
  @Nested(() => ReportSums, { nullable: true, description: 'The sums of the rows beyond take.' })
  rest: ReportSums | null;
  @DateTime({ optional: true }) comparedFrom?: Date;
  @DateTime({ optional: true }) comparedTo?: Date;
  @Nested(() => ReportSums, { optional: true }) comparedTotal?: ReportSums;
}
