import { errorSchema, pageSchema, successSchema } from '../openapi/openapi.document.js';
import { openApiPath, requestParts } from '../openapi/request-parts.js';
import type { JsonSchema } from '../../platform/schema/fields.js';
import { outputSchema } from '../../platform/schema/json-schema.js';
import type { ErrorCode } from '../../platform/errors.js';
import { VERSION } from '../../platform/version.js';
import { type Endpoint, pathOf } from '../../platform/call/endpoint.js';

const REFUSALS: Record<string, { codes: ErrorCode[]; description: string }> = {
  400: { codes: ['invalid_input'], description: 'The input is not what the route takes, or the order cannot be had so.' },
  401: { codes: ['invalid_token'], description: "Init data missing, older than a day, or not signed for the store's bot." },
  403: { codes: ['forbidden'], description: 'The shopper is banned from the store.' },
  404: { codes: ['not_found'], description: 'No such store.' },
  429: { codes: ['rate_limited'], description: 'Too many calls of this shopper in 60 s; Retry-After gives the seconds to wait.' },
  500: { codes: ['internal_error'], description: 'Our fault; give X-Request-Id to support.' },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes a retry within 24 hours no second order.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** The OpenAPI 3.1 document of the storefront, from the routes' own DTO classes. */
export function storefrontDocument(routes: Endpoint[], baseUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = openApiPath(pathOf(route));
    (paths[path] ??= {})[route.method.toLowerCase()] = routeObject(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Storefront API',
      version: VERSION,
      description:
        "What a shop's Mini App calls. Orders carry money in minor units, products in major units. Pages of any origin may call it.",
    },
    servers: [{ url: baseUrl }],
    security: [{ initData: [] }],
    paths,
    components: {
      securitySchemes: {
        initData: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: "`tma <initData>`: the Mini App's init data as the messenger handed it over, at most a day old.",
        },
      },
    },
  };
}

function routeObject(route: Endpoint): object {
  const output = outputSchema(route.output);
  const { parameters, requestBody } = requestParts(route.method, pathOf(route), route.input);
  return {
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    'x-budget': route.budget,
    parameters: [...parameters, ...(route.idempotencyKey ? [IDEMPOTENCY_KEY] : [])],
    ...(requestBody ? { requestBody } : {}),
    responses: responses(route.list ? pageSchema(output) : output),
  };
}

function responses(data: JsonSchema): object {
  const json = (description: string, schema: JsonSchema) => ({ description, content: { 'application/json': { schema } } });
  return {
    200: json('Done.', successSchema(data)),
    ...Object.fromEntries(
      Object.entries(REFUSALS).map(([status, { codes, description }]) => [status, json(description, errorSchema(codes))]),
    ),
  };
}
