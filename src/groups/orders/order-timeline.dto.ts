import { Example } from '../../platform/schema/example.js';
import { DateTime, FreeObject, NestedList, OneOf, Text } from '../../platform/schema/fields.js';

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
