import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, Integer, OneOf } from '../../platform/schema/fields.js';
import { Nested } from '../../platform/schema/list-fields.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';
import { OrderRecord } from '../orders/order.record.js';

export const EVENTS = ['order.created', 'order.updated'] as const;

/** A page of a feed. */
@Example({ take: 20, waitSeconds: 20 })
export class FeedInput extends PageInput {
  @Integer({
    min: 0,
    max: 25,
    optional: true,
    description: 'Waits so many seconds if there is nothing new. Default 0.',
  })
  waitSeconds?: number;
}

/** The envelope of an event, byte for byte as in an order webhook. */
export class EventRecord {
  @Identifier({ description: 'The id that webhooks deliver this event under.' }) id: string;
  @OneOf(EVENTS) event: (typeof EVENTS)[number];
  @DateTime() createdAt: string;
  @Nested(() => OrderRecord) data: OrderRecord;
}
