import { OrderRecord } from '../../groups/orders/order/order.record.js';
import { exampleOf } from '../../platform/schema/example.js';
import { DateTime, Flag, Identifier, OneOf } from '../../platform/schema/fields.js';
import { Nested } from '../../platform/schema/list-fields.js';
import type { NamedSchemas } from './named-schemas.js';

const EVENTS = ['order.created', 'order.updated'] as const;

/** The body of a webhook. */
class WebhookEvent {
  @Identifier({ description: 'The delivery id, the same on every retry.' }) id: string;
  @OneOf(EVENTS) event: (typeof EVENTS)[number];
  @DateTime() createdAt: string;
  @Nested(() => OrderRecord) data: OrderRecord;
  @Flag({ optional: true, description: 'True on test events; absent on all others.' }) test?: true;
}

/** Describes the calls that the service makes to the store's webhook address. */
export const webhooks = (schemas: NamedSchemas) => ({
  tags: ['Webhooks'],
  webhooks: Object.fromEntries(EVENTS.map((event) => [event, { post: webhookObject(event, schemas) }])),
});

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

function webhookObject(event: (typeof EVENTS)[number], schemas: NamedSchemas): object {
  const example = { ...exampleOf(WebhookEvent), event };
  return {
    operationId: event.replace('.', '_'),
    tags: ['Webhooks'],
    summary: `${event}: sent to the store's webhook URL`,
    description:
      'An order webhook. Answer 2xx within 10 s; see to it that the same delivery id, should it come ' +
      'again, does nothing twice.',
    security: [],
    parameters: [
      header('X-Shop-Event', 'The event.'),
      header('X-Shop-Delivery', 'The delivery id: equal to id of the body, and the same on every retry.'),
      header('X-Shop-Signature', 'Lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret.'),
      header('X-Request-Id', 'The id of the request that caused the delivery.', false),
      header(
        'webhook-id',
        'Standard Webhooks: the delivery id. Absent with a secret of the old form.',
        false,
      ),
      header(
        'webhook-timestamp',
        'Standard Webhooks: the time of the attempt, in seconds since 1970.',
        false,
      ),
      header('webhook-signature', 'Standard Webhooks: v1 signatures, of both secrets in a rotation.', false),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.output(WebhookEvent),
          examples: { example: { value: example } },
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. Anything else, or no answer in 10 s, is retried 5 times.' },
    },
  };
}
