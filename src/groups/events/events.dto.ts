import { DateTime, Identifier, OneOf } from '../../platform/schema/fields.js';
import { Nested } from '../../platform/schema/list-fields.js';
import { OrderRecord } from '../orders/order.record.js';

export const EVENTS = ['order.created', 'order.updated'] as const;

/** The envelope of an event, byte for byte as in an order webhook. */
export class EventRecord {
  @Identifier({ description: 'The id that webhooks deliver this event under.' }) id: string;
  @OneOf(EVENTS) event: (typeof EVENTS)[number];
  @DateTime() createdAt: string;
  @Nested(() => OrderRecord) data: OrderRecord;
}
