import { type Endpoint, pathOf } from '../../platform/call/endpoint.js';
import { exampleOf } from '../../platform/schema/example.js';
import type { DtoClass, JsonSchema } from '../../platform/schema/field-spec.js';
import { outputSchema } from '../../platform/schema/json/json-schema.js';
import { VERSION } from '../../platform/version.js';
import { Answers } from './answers.js';
import { NamedSchemas } from './named-schemas.js';
import type { Preface } from './prefaces.js';
import { IDEMPOTENCY_KEY, IF_MATCH, requestParts } from './request-parts.js';
import { tagsOf } from './tags.js';

/** An endpoint with its names in the document. */
export interface Documented {
  endpoint: Endpoint;
  operationId: string;
  tags: string[];
}

const CONTACT = 'The operator of this installation';
const LICENCE = { name: 'Proprietary, all rights reserved', identifier: 'LicenseRef-Proprietary' };

/** Creates the OpenAPI 3.1 document of a door from its endpoints and their DTO classes. */
export function openApiDocument(preface: Preface, documented: Documented[], baseUrl: string): object {
  const { title, description, securityScheme } = preface;
  const schemas = new NamedSchemas();
  const answers = new Answers(schemas, preface.refusals, preface.problems);
  const paths: Record<string, Record<string, object>> = {};
  for (const { endpoint, ...names } of documented) {
    const path = pathOf(endpoint).replace(/:(\w+)/g, '{$1}');
    const object = { ...names, ...operationObject(endpoint, preface, schemas, answers) };
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = object;
  }
  const more = preface.more?.(schemas, answers) ?? { tags: [] };
  Object.assign(paths, more.paths);
  const components = {
    ...answers.components(),
    schemas: schemas.all(),
  };
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: VERSION,
      description,
      contact: { name: CONTACT, url: baseUrl },
      license: LICENCE,
    },
    servers: [{ url: baseUrl }],
    security: [{ [securityScheme.name]: [] }],
    tags: tagsOf([...documented.flatMap(({ tags }) => tags), ...more.tags]),
    paths,
    ...(more.webhooks ? { webhooks: more.webhooks } : {}),
    components: { securitySchemes: { [securityScheme.name]: securityScheme.scheme }, ...components },
  };
}

function operationObject(
  endpoint: Endpoint,
  { accessOf }: Preface,
  schemas: NamedSchemas,
  answers: Answers,
): object {
  const { summary, description, output, list, stream, ifMatch, mayBeOutdated, idempotencyKey } = endpoint;
  const { sentence, ...access } = accessOf(endpoint);
  const { parameters, requestBody } = requestParts(endpoint, schemas);
  return {
    summary,
    description: description ? `${description} ${sentence}` : sentence,
    ...access,
    parameters: [...parameters, ...(idempotencyKey ? [IDEMPOTENCY_KEY] : []), ...(ifMatch ? [IF_MATCH] : [])],
    ...(requestBody ? { requestBody } : {}),
    responses: stream
      ? answers.ofStream(stream, streamed(stream, output))
      : answers.of(list ? schemas.pageOf(output, list) : schemas.dataOf(output), ifMatch ?? mayBeOutdated),
  };
}

/**
 * Describes a stream: events whose data match the schema of the output, or a table whose columns are the
 * fields of the output.
 */
function streamed(type: string, output: DtoClass): object {
  // The schema is written out, because tools do not resolve references inside extensions.
  const schema = whole(output);
  const data = type.startsWith('text/csv') ? { 'x-columns': schema } : { 'x-event-data': schema };
  return {
    schema: { type: 'string', ...data },
    examples: { example: { value: streamExample(type, exampleOf(output)) } },
  };
}

const whole = (type: DtoClass): JsonSchema => outputSchema(type, whole);

const streamExample = (type: string, example: object) =>
  type.startsWith('text/csv')
    ? `${Object.keys(example).join(',')}\r\n`
    : `event: order.changed\ndata: ${JSON.stringify(example)}\n\n`;
