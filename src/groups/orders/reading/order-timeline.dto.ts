import { Example } from '../../../platform/schema/example.js';
import { DateTime, Integer, OneOf, Text } from '../../../platform/schema/fields.js';
import { FreeObject, Nested, NestedList } from '../../../platform/schema/list-fields.js';

export const TIMELINE_KINDS = [
  'placed',
  'paid',
  'payment',
  'status',
  'shipped',
  'refund',
  'items',
  'change',
  'note',
  'message',
  'delivery',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

@Example({
  kind: 'status',
  by: 'warehouse',
  text: 'Status PENDING became PROCESSING',
  changes: { status: ['PENDING', 'PROCESSING'] },
})
export class TimelineEntry {
  @DateTime() at: string;
  @OneOf(TIMELINE_KINDS) kind: TimelineKind;
  @Text({
    nullable: true,
    typedByShopper: true,
    description: 'Who caused it; null if the service did it by itself.',
  })
  by: string | null;
  @Text({ typedByShopper: true }) text: string;
  @FreeObject({
    nullable: true,
    typedByShopper: true,
    description: 'Field: [before, after]. Money is in minor units, bonus in major units.',
  })
  changes: Record<string, [unknown, unknown]> | null;
}

export class OrderTimelineRecord {
  @NestedList(() => TimelineEntry, { description: 'The latest 500 entries, oldest first.' })
  entries: TimelineEntry[];
}

/** The facts in the text of an entry, for showing it in another language. */
@Example({ event: 'order.updated', outcome: 'delivered', attempts: 1 })
export class TimelineFacts {
  @Text({
    optional: true,
    description:
      'The amount ordered, paid or refunded, in major units with all decimals of the currency. Absent for ' +
      'a payment in a currency whose decimals are not known.',
  })
  amount?: string;
  @Text({ optional: true }) currency?: string;
  @Integer({ optional: true, min: 0, description: 'The number of pieces ordered.' }) pieces?: number;
  @Text({ optional: true }) paymentMethod?: string;
  @Text({ optional: true, description: 'The id of the charge at the messenger.' }) charge?: string;
  @Text({ optional: true, description: 'Why the refund was made, or what the messenger said.' })
  reason?: string;
  @Text({ optional: true, description: 'What the shopper was told of: placed, paid, shipped …' })
  message?: string;
  @Text({ optional: true, description: 'The outcome of a payment, a message or a delivery.' })
  outcome?: string;
  @Text({ optional: true, description: 'The event of a delivery.' }) event?: string;
  @Integer({ optional: true, min: 0, description: 'The number of delivery attempts.' }) attempts?: number;
  @Text({ optional: true, description: 'The answer to the last attempt, or its error.' }) lastAnswer?: string;
}

export class HistoryEntry extends TimelineEntry {
  @Nested(() => TimelineFacts) facts: TimelineFacts;
}

/** The timeline for the dashboard. */
export class OrderHistoryRecord {
  @NestedList(() => HistoryEntry, { description: 'The latest 500 entries, oldest first.' })
  entries: HistoryEntry[];
}
