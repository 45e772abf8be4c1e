import type { Answers } from './answers.js';
import { IDEMPOTENCY_KEY, IF_MATCH } from './request-parts.js';

const ANY = { type: 'object', additionalProperties: true };

/** Describes the route with which the dashboard runs any operation. It is not declared as an endpoint. */
export function runOperation(operations: string[], answers: Answers) {
  const parameter = (name: string, description: string, schema: object) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema,
  });
  const data = { name: 'AnyOperation', schema: ANY, example: { orderId: 1042, deleted: true } };
  const post = {
    operationId: 'operations_run',
    tags: ['Operations'],
    summary: 'Run any operation as the signed-in user',
    description:
      'Input and data of each operation are those of POST /v1/{operation}, which /openapi.json describes, ' +
      'with the scope it needs. Staff have the operations of scope read and write.',
    'x-access': 'member',
    parameters: [
      parameter('storeId', "The store's id.", { type: 'string' }),
      parameter('operation', "The operation's name.", { type: 'string', enum: operations }),
      IDEMPOTENCY_KEY,
      IF_MATCH,
    ],
    requestBody: {
      content: {
        'application/json': {
          schema: ANY,
          examples: { example: { value: { orderId: 1042, confirm: true } } },
        },
      },
    },
    responses: answers.of(data, true),
  };
  return {
    tags: ['Operations'],
    paths: { '/dashboard/api/stores/{storeId}/operations/{operation}': { post } },
  };
}
