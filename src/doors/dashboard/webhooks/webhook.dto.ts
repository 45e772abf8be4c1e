import { Example } from '../../../platform/schema/example.js';
import { AttemptRecord, DeliveryRecord } from '../../../groups/events/deliveries.dto.js';
import { DateTime, Flag, Identifier, Integer, Text } from '../../../platform/schema/fields.js';
import { FreeObject, NestedList } from '../../../platform/schema/list-fields.js';

@Example({ url: 'https://partner.example/webhooks/shop' })
export class SaveWebhookInput {
  @Text({
    min: 1,
    max: 2048,
    description: 'The address that receives order events. It must be a public https:// address.',
  })
  url: string;
}

@Example({ url: 'https://partner.example/webhooks/shop', paused: false, lastError: 'could not resolve host' })
export class WebhookRecord {
  @Text({ nullable: true, description: 'The address that receives order events; null if none is set.' }) url:
    string | null;
  @Flag({ description: 'Whether sending is paused. While it is, changes are recorded and nothing is sent.' })
  paused: boolean;
  @DateTime({ nullable: true, description: 'From the third failed attempt in a row on; else null.' })
  failingSince: Date | null;
  @Text({ nullable: true, description: 'Why the newest attempt failed, while it is failing.' })
  lastError: string | null;
  @DateTime({ nullable: true }) lastSuccessAt: Date | null;
  @DateTime({ nullable: true }) createdAt: Date | null;
  @DateTime({ nullable: true }) updatedAt: Date | null;
}

@Example({ secret: 'whsec_…' })
export class SavedWebhook extends WebhookRecord {
  @Text({
    optional: true,
    description:
      'The signing secret. It is present only in the answer to the first save and is not shown again.',
  })
  secret?: string;
}

@Example({ overlap: true })
export class RotateSecretInput {
  @Flag({
    optional: true,
    description:
      'Whether the old secret too signs for another 24 hours, in the header webhook-signature. The default ' +
      'is false.',
  })
  overlap?: boolean;
}

@Example({ secret: 'whsec_…', previousUntil: '2026-05-05T09:30:00.000Z' })
export class RotatedSecret {
  @Text({ description: 'The new signing secret. It is shown only in this answer.' }) secret: string;
  @DateTime({
    optional: true,
    description: 'Until when the old secret signs too. Absent if it is no longer valid.',
  })
  previousUntil?: Date;
}

export class RemovedWebhook {
  @Flag() deleted: boolean;
}

@Example({ statusCode: 200, durationMs: 84, response: 'ok' })
export class WebhookTestResult {
  @Identifier({ description: 'The delivery id that was sent to the endpoint.' }) id: string;
  @Flag({ description: 'Whether the endpoint answered with a 2xx status within 10 seconds.' })
  delivered: boolean;
  @Integer({ nullable: true }) statusCode: number | null;
  @Integer() durationMs: number;
  @Text({ nullable: true }) error: string | null;
  @Text({ nullable: true, description: "The first 1 KiB of the endpoint's answer." }) response: string | null;
}

const REQUEST_ID = { nullable: true, description: 'The X-Request-Id of the call that caused it.' };

@Example({ requestId: 'order-import-17' })
class AttemptDetails extends AttemptRecord {
  @Text({ nullable: true, description: "The first 1 KiB of the endpoint's answer." }) response: string | null;
  @Text(REQUEST_ID) requestId: string | null;
}

@Example({ requestId: 'order-import-17' })
export class DeliveryDetailsRecord extends DeliveryRecord {
  @Text(REQUEST_ID) requestId: string | null;
  @NestedList(() => AttemptDetails) attempts: AttemptDetails[];
  @FreeObject({
    nullable: true,
    description: 'The webhook envelope, as it is sent; null if the order has been deleted.',
  })
  body: object | null;
}

export class RedeliverFailedInput {
  @DateTime({
    description:
      'The earliest time of creation. Failed deliveries created at this time or later are sent again.',
  })
  since: string;
}

@Example({ redelivered: 7 })
export class RedeliveredCount {
  @Integer({ min: 0, description: 'The number of deliveries that are sent again.' }) redelivered: number;
  @Flag({
    optional: true,
    description: 'True where more may be left, which another call sends again; else absent.',
  })
  hasMore?: true;
}
