import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { NestedList, TextList } from '../../platform/schema/list-fields.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';
import { ExactlyOneOf } from '../../platform/schema/rules.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../webhooks/delivery/deliveries.statements.js';

@Example({ status: 'failed' })
export class ListWebhookDeliveriesInput extends PageInput {
  @OneOf(DELIVERY_STATUSES, { optional: true }) status?: DeliveryStatus;
  @Integer({ above: 0, optional: true }) orderId?: number;
}

@Example({ durationMs: 84, statusCode: 503 })
export class AttemptRecord {
  @DateTime() at: string;
  @Integer() durationMs: number;
  @Integer({ nullable: true }) statusCode: number | null;
  @Text({ nullable: true }) error: string | null;
}

@Example({
  event: 'order.updated',
  orderId: 1042,
  status: 'pending',
  nextAttemptAt: '2026-05-04T09:31:00.000Z',
})
export class DeliveryRecord {
  @Identifier() id: string;
  @Text() event: string;
  @Integer({ nullable: true }) orderId: number | null;
  @OneOf(DELIVERY_STATUSES, {
    description: 'Pending until an attempt succeeds; failed after the last attempt.',
  })
  status: string;
  @NestedList(() => AttemptRecord) attempts: AttemptRecord[];
  @DateTime({ nullable: true }) nextAttemptAt: Date | null;
  @DateTime() createdAt: Date;
}

@ExactlyOneOf('ids', 'failedSince')
@Example({ ids: ['01980a52-6c1e-7b3a-9d2f-4c8e1a7b9d30'] })
export class ResendWebhookDeliveriesInput {
  @TextList({ min: 1, max: 100, itemMin: 1, itemLimit: 200, optional: true }) ids?: string[];
  @DateTime({ optional: true, description: 'In the last 30 days: the newest 1,000 that failed since.' })
  failedSince?: string;
}

@Example({ resent: 7, skipped: 0 })
export class ResentDeliveries {
  @Integer({ min: 0 }) resent: number;
  @Integer({ min: 0, description: 'Those whose order is deleted.' }) skipped: number;
}
