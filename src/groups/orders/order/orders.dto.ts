import { tell } from '../../../platform/problems.js';
import { AllOf } from '../../../platform/schema/derived-fields.js';
import { Example } from '../../../platform/schema/example.js';
import {
  Confirm,
  DateTime,
  Flag,
  Identifier,
  Integer,
  OneOf,
  Text,
} from '../../../platform/schema/fields.js';
import { Nested } from '../../../platform/schema/list-fields.js';
import { AtLeastOneFilled } from '../../../platform/schema/rules.js';
import { PageInput } from '../../../platform/schema/pages/page.dto.js';
import { Warnings } from '../../../platform/schema/warnings.js';
import { OrderMovementResult } from './order-movement.dto.js';
import { ORDER_STATUSES, type OrderStatus } from '../../order-status.js';
import { OrderIdInput, OrderRecord } from './order.record.js';

@Example({ status: 'PENDING' })
export class ListOrdersInput extends PageInput {
  @OneOf(ORDER_STATUSES, { optional: true }) status?: OrderStatus;
}

@Example({ status: 'PROCESSING' })
export class SetOrderStatusInput extends OrderIdInput {
  @OneOf(ORDER_STATUSES) status: OrderStatus;
}

@Example({ orderId: 1042, status: 'PROCESSING' })
export class SetOrderStatusResult {
  @Integer({ above: 0 }) orderId: number;
  @OneOf(ORDER_STATUSES) status: OrderStatus;
  @Nested(() => OrderRecord) order: OrderRecord;
}

@AtLeastOneFilled('trackingUrl', 'carrier', 'trackingNumber')
@Example({
  carrier: 'DHL',
  trackingNumber: 'JD014600006281234567',
  trackingUrl: 'https://track.example/JD014600006281234567',
})
export class ShipOrderInput extends OrderIdInput {
  @Text({
    max: 2048,
    // Not written with escaped slashes: generators take one at the end for that of a literal.
    pattern: /^https?:[/]{2}/,
    patternMeaning: 'a URL that starts with http:// or https://',
    told: tell('url'),
    optional: true,
  })
  trackingUrl?: string;
  @Text({ max: 100, optional: true }) carrier?: string;
  @Text({ max: 100, optional: true }) trackingNumber?: string;
  @Flag({
    optional: true,
    description: 'Whether to send the shopper the shipped message. The default is false.',
    hint: 'Message the shopper.',
  })
  notify?: boolean;
}

export const NOTIFY_FAILURES = ['bot_not_configured', 'unreachable', 'send_failed'] as const;
export type NotifyFailure = (typeof NOTIFY_FAILURES)[number];

export class ShipOrderResult {
  @Nested(() => OrderRecord) order: OrderRecord;
  @Flag({ optional: true, description: 'Whether the message was sent. Absent if notify was not true.' })
  notified?: boolean;
  @OneOf(NOTIFY_FAILURES, { optional: true }) notifyFailureReason?: NotifyFailure;
}

@Example({ note: 'Called the customer: deliver after 18:00.' })
export class AddOrderNoteInput extends OrderIdInput {
  @Text({ min: 1, max: 2000 }) note: string;
}

@Example({ orderId: 1042 })
export class ListOrderNotesInput extends PageInput {
  @Integer({ above: 0 }) orderId: number;
}

@Example({ text: 'Called the customer: deliver after 18:00.', author: 'warehouse' })
export class OrderNoteRecord {
  @Identifier() id: string;
  @Text({ typedByShopper: true, description: 'Often copied from what a shopper wrote.' }) text: string;
  @Text() author: string;
  @DateTime() createdAt: Date;
}

@Example({ orderId: 1042 })
export class AddOrderNoteResult {
  @Integer({ above: 0 }) orderId: number;
  @Nested(() => OrderNoteRecord) note: OrderNoteRecord;
  @Warnings() warnings?: string[];
}

@Example({ amount: 2450, reason: 'One shirt was damaged.' })
export class RefundOrderInput extends OrderIdInput {
  @Integer({
    above: 0,
    optional: true,
    description:
      "The amount in minor units of the order's currency. It is only recorded: no payment provider is " +
      'called.',
    hint: 'Minor units.',
  })
  amount?: number;
  @Text({ max: 500, optional: true }) reason?: string;
}

@Example({ amount: 2450, reason: 'One shirt was damaged.' })
export class RefundRecord {
  @Integer({
    above: 0,
    nullable: true,
    minorUnits: true,
    description: "The recorded amount, in minor units of the order's currency.",
  })
  amount: number | null;
  @Text({ nullable: true }) reason: string | null;
}

class Refunded {
  @Nested(() => RefundRecord) refund: RefundRecord;
}

@Example({ status: 'CANCELLED' })
export class RefundOrderResult extends AllOf(SetOrderStatusResult, Refunded, OrderMovementResult) {
  @Warnings() warnings?: string[];
}

export class DeleteOrderInput extends OrderIdInput {
  @Confirm() confirm: true;
}

@Example({ orderId: 1042 })
export class DeleteOrderResult extends OrderMovementResult {
  @Integer({ above: 0 }) orderId: number;
  @Flag() deleted: boolean;
}
