import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { Nested, OneOfList } from '../../platform/schema/list-fields.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';
import { OrderRecord } from '../orders/order/order.record.js';

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

export const CHANGED_KINDS = ['product', 'brand', 'category', 'promocode', 'customer'] as const;
export type ChangedKind = (typeof CHANGED_KINDS)[number];

const CHANGES = ['created', 'updated', 'deleted'] as const;

@Example({ kinds: ['product', 'customer'], take: 20 })
export class ListChangesInput extends FeedInput {
  @OneOfList(CHANGED_KINDS, { min: 1, max: CHANGED_KINDS.length, optional: true }) kinds?: ChangedKind[];
}

@Example({ kind: 'product', productId: 'mug-classic', change: 'updated' })
export class ChangeRecord {
  @OneOf(CHANGED_KINDS) kind: ChangedKind;
  @Identifier() id: string;
  @Text({ nullable: true, description: 'Your own id of a product; null for other kinds.' })
  productId: string | null;
  @OneOf(CHANGES, { description: 'The last of several changes.' }) change: (typeof CHANGES)[number];
  @DateTime() at: Date;
}
