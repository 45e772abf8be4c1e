import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, OneOf, Text } from '../../platform/schema/fields.js';
import { OneOfList } from '../../platform/schema/list-fields.js';
import { FeedInput } from './events.dto.js';

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
