import { Example } from '../../platform/schema/example.js';
import { DateTime, FreeObject, Integer, Nested, NestedList, OneOf, Text } from '../../platform/schema/fields.js';

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
  @Text({ nullable: true, description: 'Who caused it; null for what the service did by itself.' }) by: string | null;
  @Text() text: string;
  @FreeObject({ nullable: true, description: 'Field: [before, after]. Money in minor units, bonus in major ones.' })
  changes: Record<string, [unknown, unknown]> | null;
}

export class OrderTimelineRecord {
  @NestedList(() => TimelineEntry, { description: 'Oldest first; the latest 500.' }) entries: TimelineEntry[];
}

/** What the text of an entry says, for those who say it in another language. */
@Example({ event: 'order.updated', outcome: 'delivered', attempts: 1 })
export class TimelineFacts {
  @Text({
    optional: true,
    description: 'What the order cost, was paid or refunded: major units, with all decimals of the currency.',
  })
  amount?: string;
  @Text({ optional: true }) currency?: string;
  @Integer({ optional: true, min: 0, description: 'Pieces that were ordered.' }) pieces?: number;
  @Text({ optional: true }) paymentMethod?: string;
  @Text({ optional: true, description: 'The id of the charge at the messenger.' }) charge?: string;
  @Text({ optional: true, description: 'Why the refund was made.' }) reason?: string;
  @Text({ optional: true, description: 'What became of a payment, a message or a delivery.' }) outcome?: string;
  @Text({ optional: true, description: 'The event of a delivery.' }) event?: string;
  @Integer({ optional: true, min: 0, description: 'Attempts to deliver it.' }) attempts?: number;
  @Text({ optional: true, description: 'What the last of them met.' }) lastAnswer?: string;
}

export class HistoryEntry extends TimelineEntry {
  @Nested(() => TimelineFacts) facts: TimelineFacts;
}

/** The timeline as the dashboard reads it. */
export class OrderHistoryRecord {
  @NestedList(() => HistoryEntry, { description: 'Oldest first; the latest 500.' }) entries: HistoryEntry[];
}
