import { DateTime, Flag, FreeObject, Identifier, Integer, NestedList, OneOf, Text } from '../../platform/schema/fields.js';

export class SaveWebhookInput {
  @Text({ min: 1, max: 2048, description: 'A public https:// address.' }) url: string;
}

export class WebhookRecord {
  @Text({ nullable: true, description: 'Null when none is set.' }) url: string | null;
  @Flag({ description: 'While true, changes are recorded and nothing is sent.' }) paused: boolean;
  @DateTime({ nullable: true }) createdAt: Date | null;
  @DateTime({ nullable: true }) updatedAt: Date | null;
}

export class SavedWebhook extends WebhookRecord {
  @Text({ optional: true, description: 'The signing secret; on the first save only, and shown only now.' }) secret?: string;
}

export class RotatedSecret {
  @Text({ description: 'The new signing secret, shown only now. The old one is dead.' }) secret: string;
}

export class RemovedWebhook {
  @Flag() deleted: boolean;
}

export class WebhookTestResult {
  @Identifier({ description: 'The delivery id the endpoint was sent.' }) id: string;
  @Flag({ description: 'Whether the endpoint answered 2xx in time.' }) delivered: boolean;
  @Integer({ nullable: true }) statusCode: number | null;
  @Integer() durationMs: number;
  @Text({ nullable: true }) error: string | null;
  @Text({ nullable: true, description: 'The first 1 KiB of the answer.' }) response: string | null;
}

export class AttemptRecord {
  @DateTime() at: string;
  @Integer() durationMs: number;
  @Integer({ nullable: true }) statusCode: number | null;
  @Text({ nullable: true }) error: string | null;
}

export class AttemptDetails extends AttemptRecord {
  @Text({ nullable: true, description: 'The first 1 KiB of the answer.' }) response: string | null;
}

export class DeliveryRecord {
  @Identifier() id: string;
  @Text() event: string;
  @Integer({ nullable: true }) orderId: number | null;
  @OneOf(['pending', 'delivered', 'failed']) status: string;
  @NestedList(() => AttemptRecord) attempts: AttemptRecord[];
  @DateTime({ nullable: true }) nextAttemptAt: Date | null;
  @DateTime() createdAt: Date;
}

export class DeliveryDetailsRecord extends DeliveryRecord {
  @NestedList(() => AttemptDetails) attempts: AttemptDetails[];
  @FreeObject({ nullable: true, description: 'The webhook envelope as it is sent. Null once its order was deleted.' })
  body: object | null;
}

export class RedeliverFailedInput {
  @DateTime({ description: 'Failed deliveries created since then are sent again.' }) since: string;
}

export class RedeliveredCount {
  @Integer() redelivered: number;
}
