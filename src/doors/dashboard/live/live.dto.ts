import { Example } from '../../../platform/schema/example.js';
import { Identifier, Integer, Text } from '../../../platform/schema/fields.js';
import { TextList } from '../../../platform/schema/list-fields.js';

@Example({
  kind: 'order',
  id: '1042',
  operation: 'ship_order',
  changed: ['status', 'trackingNumber'],
  orderId: 1042,
})
export class LiveChangeRecord {
  @Text({
    description: 'The kind of the record: order, customer, product, delivery, campaign, store and so on.',
  })
  kind: string;
  @Identifier({ description: 'Its id, as text.' }) id: string;
  @Text({ description: 'What changed it: an operation, or another name that the audit log has.' })
  operation: string;
  @TextList({ description: 'The names of the fields that changed, as far as they are known.' })
  changed: string[];
  @Text({ optional: true, description: 'Of delivery.failed: the event that was not delivered.' })
  event?: string;
  @Integer({
    optional: true,
    nullable: true,
    description: 'Of events about an order and of delivery.failed: the order.',
  })
  orderId?: number | null;
  @Integer({ optional: true, description: 'Of campaign.progress: messages done.' }) done?: number;
  @Integer({ optional: true, description: 'Of campaign.progress: messages in all.' }) total?: number;
}
