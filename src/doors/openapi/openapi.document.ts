import { ERROR_STATUS, type ErrorCode } from '../../platform/errors.js';
import { jsonSchema, outputSchema } from '../../platform/schema/json-schema.js';
import { fields, type JsonSchema } from '../../platform/schema/fields.js';
import type { OperationSpec } from '../../platform/call/operation.decorator.js';
import { VERSION } from '../../platform/version.js';
import { OrderRecord } from '../../groups/orders/order.record.js';

const LIMIT_HEADERS = {
  'X-Request-Id': { description: "The caller's, or a fresh one.", schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Calls per 60 s.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Calls left now.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until a call is given back.', schema: { type: 'integer' } },
};

interface Refusal {
  codes: ErrorCode[];
  description: string;
  headers?: object;
}

const REFUSALS: Record<string, Refusal> = {
  400: { codes: ['invalid_input'], description: "The body does not match the operation's input." },
  401: { codes: ['invalid_token'], description: 'The token is missing, malformed, expired or revoked.' },
  403: { codes: ['forbidden'], description: "The token's scope is too narrow, or the store's plan lacks the feature." },
  404: { codes: ['not_found'], description: "There is no such record in the token's store." },
  429: {
    codes: ['rate_limited'],
    description: 'Too many calls in 60 s.',
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
  },
  500: { codes: ['internal_error'], description: 'Our fault; give X-Request-Id to support.' },
};

const CHANGED = {
  codes: ['precondition_failed' as const],
  description: 'The record has changed since If-Match; nothing was done.',
};

/** The OpenAPI 3.1 document of the partners' API, from the operations' own DTO classes. */
export function openApiDocument(operations: OperationSpec[], baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shop Administration API',
      version: VERSION,
      description:
        'Every operation is POST /v1/<operation> with a JSON object. Success is { ok: true, data }, failure { ok: false, error: { code, message } }. ' +
        'Orders carry money in minor units, products in major units.',
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    paths: Object.fromEntries(operations.map((operation) => [`/v1/${operation.name}`, { post: operationObject(operation) }])),
    webhooks: Object.fromEntries(['order.created', 'order.updated'].map((event) => [event, { post: webhookObject(event) }])),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token of one store: shop_live_…' } },
      schemas: { Error: errorSchema(Object.keys(ERROR_STATUS) as ErrorCode[]) },
    },
  };
}

function operationObject(operation: OperationSpec): object {
  const output = operation.list ? pageSchema(outputSchema(operation.output)) : outputSchema(operation.output);
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: `${operation.description ?? operation.summary}\n\nScope: ${operation.scope}.`,
    'x-scope': operation.scope,
    parameters: callHeaders(operation),
    requestBody: {
      required: fields(operation.input).some(({ optional }) => !optional),
      content: { 'application/json': { schema: jsonSchema(operation.input) } },
    },
    responses: {
      200: { description: 'Done.', headers: LIMIT_HEADERS, content: { 'application/json': { schema: successSchema(output) } } },
      ...Object.fromEntries(
        Object.entries<Refusal>(operation.ifMatch ? { ...REFUSALS, 412: CHANGED } : REFUSALS).map(
          ([status, { codes, description, headers }]) => [
            status,
            {
              description,
              headers: { ...LIMIT_HEADERS, ...headers },
              content: { 'application/json': { schema: errorSchema(codes) } },
            },
          ],
        ),
      ),
    },
  };
}

/** What a caller may send beside the body. */
function callHeaders(operation: OperationSpec): object[] {
  const header = (name: string, description: string, maxLength: number) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', minLength: 1, maxLength },
  });
  const retry = 'Makes a repeat safe: for 24 hours the first result is answered again and nothing is done twice.';
  return [
    header('X-Request-Id', 'Comes back in the answer and stands in logs and audit rows.', 128),
    ...(operation.scope === 'read' ? [] : [header('Idempotency-Key', retry, 255)]),
    ...(operation.ifMatch ? [header('If-Match', "The record's updatedAt you last saw; 412 when it has changed since.", 40)] : []),
  ];
}

function webhookObject(event: string): object {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return {
    summary: `${event}: sent to the store's webhook URL`,
    parameters: [
      header('X-Shop-Event', 'The event.'),
      header('X-Shop-Delivery', 'The delivery id, equal to id of the body and the same on every retry.'),
      header('X-Shop-Signature', 'Lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret.'),
    ],
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              event: { type: 'string', enum: [event] },
              createdAt: { type: 'string', format: 'date-time' },
              data: outputSchema(OrderRecord),
              test: { type: 'boolean', enum: [true], description: 'Only on test envelopes.' },
            },
            required: ['id', 'event', 'createdAt', 'data'],
          },
        },
      },
    },
    responses: { '2XX': { description: 'Received. Anything else, or no answer in 10 s, is retried 5 times.' } },
  };
}

export function pageSchema(items: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { items: { type: 'array', items }, nextCursor: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    required: ['items', 'nextCursor'],
    additionalProperties: false,
  };
}

export function successSchema(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { ok: { type: 'boolean', enum: [true] }, data },
    required: ['ok', 'data'],
    additionalProperties: false,
  };
}

export function errorSchema(codes: ErrorCode[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      ok: { type: 'boolean', enum: [false] },
      error: {
        type: 'object',
        properties: { code: { type: 'string', enum: codes }, message: { type: 'string' } },
        required: ['code', 'message'],
        additionalProperties: false,
      },
    },
    required: ['ok', 'error'],
    additionalProperties: false,
  };
}
