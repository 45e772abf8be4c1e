import { errorSchema, pageSchema, successSchema } from '../openapi/openapi.document.js';
import { openApiPath, parametersOf, requestParts } from '../openapi/request-parts.js';
import type { JsonSchema } from '../../platform/schema/fields.js';
import { outputSchema } from '../../platform/schema/json-schema.js';
import type { ErrorCode } from '../../platform/errors.js';
import type { OperationSpec } from '../../platform/call/operation.decorator.js';
import { VERSION } from '../../platform/version.js';
import { type Endpoint, pathOf } from '../../platform/call/endpoint.js';
import { sessionCookieName } from './cookies.js';
import { API_PATH } from './route.decorator.js';

const REFUSALS: Record<string, { codes: ErrorCode[]; description: string }> = {
  400: { codes: ['invalid_input'], description: 'The input is not what the page takes.' },
  401: { codes: ['invalid_token'], description: 'Not signed in, or the session has ended.' },
  403: { codes: ['forbidden'], description: 'For owners only, or the request came from another site.' },
  404: { codes: ['not_found', 'unknown_tool'], description: 'No such record, or no such store among those of the user.' },
  429: { codes: ['rate_limited'], description: 'Too many calls, or sign-in attempts; Retry-After gives the seconds to wait.' },
  500: { codes: ['internal_error'], description: 'Our fault; give X-Request-Id to support.' },
};

const CHANGED: (typeof REFUSALS)[string] = {
  codes: ['precondition_failed'],
  description: 'The record has changed since If-Match; nothing was done.',
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: "The record's updatedAt you last saw; 412 when it has changed since.",
  schema: { type: 'string', maxLength: 40 },
};

const OPERATION_PATH = `/${API_PATH}/stores/{storeId}/operations/{operation}`;

/** The OpenAPI 3.1 document of the dashboard, from the pages' own DTO classes. */
export function dashboardDocument(routes: Endpoint[], operations: OperationSpec[], baseUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = openApiPath(pathOf(route));
    (paths[path] ??= {})[route.method.toLowerCase()] = routeObject(route);
  }
  paths[OPERATION_PATH] = { post: operationObject(operations) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shop Dashboard API',
      version: VERSION,
      description:
        'What the pages of the dashboard call. Every store page is open to its owner; staff has all but those of owners.',
    },
    servers: [{ url: baseUrl }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(baseUrl), description: 'Set by auth/sign-in.' },
      },
    },
  };
}

function routeObject(route: Endpoint): object {
  const output = outputSchema(route.output);
  const parts = requestParts(route.method, route.path, route.input);
  return {
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(route.access === 'optional' ? { security: [{ session: [] }, {}] } : {}),
    'x-access': route.access ?? (parametersOf(route.path).includes('storeId') ? 'member' : 'user'),
    ...parts,
    ...(route.ifMatch ? { parameters: [...parts.parameters, IF_MATCH] } : {}),
    responses: responses(route.list ? pageSchema(output) : output, route.ifMatch ? { ...REFUSALS, 412: CHANGED } : REFUSALS),
  };
}

function operationObject(operations: OperationSpec[]): object {
  const path = (name: string, schema: JsonSchema) => ({ name, in: 'path', required: true, schema });
  return {
    summary: 'Run any operation as the signed-in user',
    description: 'Input and result are those of POST /v1/{operation}. Staff has the operations of scope read and write.',
    'x-access': 'member',
    parameters: [
      path('storeId', { type: 'string' }),
      path('operation', { type: 'string', enum: operations.map(({ name }) => name) }),
    ],
    requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    responses: responses({}),
  };
}

function responses(data: JsonSchema, refusals = REFUSALS): object {
  const json = (description: string, schema: JsonSchema) => ({ description, content: { 'application/json': { schema } } });
  return {
    200: json('Done.', successSchema(data)),
    ...Object.fromEntries(
      Object.entries(refusals).map(([status, { codes, description }]) => [status, json(description, errorSchema(codes))]),
    ),
  };
}
