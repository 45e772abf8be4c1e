import { pathOf } from '../../platform/call/endpoint.js';
import { exampleOf } from '../../platform/schema/example.js';
import type { Documented } from './openapi.document.js';
import type { Preface } from './prefaces.js';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * Creates a Postman collection of the operations (format 2.1.0), with a folder for each group and an example
 * in each request. The address and the token are variables of the collection; the token is left empty.
 */
export function postmanCollection(
  { title, description }: Preface,
  documented: Documented[],
  baseUrl: string,
): object {
  const groups = [...new Set(documented.map(({ tags }) => tags[0]))].sort();
  return {
    info: { name: title, description, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'token', value: '' },
    ],
    item: groups.map((name) => ({
      name,
      item: documented.filter(({ tags }) => tags[0] === name).map(requestOf),
    })),
  };
}

function requestOf({ endpoint, operationId }: Documented): object {
  const path = pathOf(endpoint);
  return {
    name: operationId,
    request: {
      method: endpoint.method,
      description: endpoint.description,
      header: [{ key: 'Content-Type', value: 'application/json' }],
      url: { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.split('/').slice(1) },
      body: {
        mode: 'raw',
        raw: JSON.stringify(exampleOf(endpoint.input), null, 2),
        options: { raw: { language: 'json' } },
      },
    },
  };
}
