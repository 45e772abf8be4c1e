import { type Endpoint, pathOf } from '../../platform/call/endpoint.js';
import { VERSION } from '../../platform/version.js';
import { Answers } from './answers.js';
import { NamedSchemas } from './named-schemas.js';
import type { Preface } from './prefaces.js';
import { IDEMPOTENCY_KEY, IF_MATCH, requestParts } from './request-parts.js';
import { tagsOf } from './tags.js';

/** An endpoint as its document names it. */
export interface Documented {
  endpoint: Endpoint;
  operationId: string;
  tags: string[];
}

const CONTACT = 'The operator of this installation';
const LICENCE = { name: 'Proprietary, all rights reserved', identifier: 'LicenseRef-Proprietary' };

/** The OpenAPI 3.1 document of a door, from the DTO classes of its endpoints. */
export function openApiDocument(preface: Preface, documented: Documented[], baseUrl: string): object {
  const { title, description, securityScheme } = preface;
  const schemas = new NamedSchemas();
  const answers = new Answers(schemas, preface.refusals);
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
    info: { title, version: VERSION, description, contact: { name: CONTACT, url: baseUrl }, license: LICENCE },
    servers: [{ url: baseUrl }],
    security: [{ [securityScheme.name]: [] }],
    tags: tagsOf([...documented.flatMap(({ tags }) => tags), ...more.tags]),
    paths,
    ...(more.webhooks ? { webhooks: more.webhooks } : {}),
    components: { securitySchemes: { [securityScheme.name]: securityScheme.scheme }, ...components },
  };
}

function operationObject(endpoint: Endpoint, { accessOf }: Preface, schemas: NamedSchemas, answers: Answers): object {
  const { summary, description, output, list, ifMatch, idempotencyKey } = endpoint;
  const { sentence, ...access } = accessOf(endpoint);
  const { parameters, requestBody } = requestParts(endpoint, schemas);
  return {
    summary,
    description: description ? `${description} ${sentence}` : sentence,
    ...access,
    parameters: [...parameters, ...(idempotencyKey ? [IDEMPOTENCY_KEY] : []), ...(ifMatch ? [IF_MATCH] : [])],
    ...(requestBody ? { requestBody } : {}),
    responses: answers.of(list ? schemas.pageOf(output) : schemas.dataOf(output), ifMatch),
  };
}
