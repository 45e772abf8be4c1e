import { type Endpoint, pathOf, isOperation } from '../../platform/call/endpoint.js';
import { exampleOf } from '../../platform/schema/example.js';
import type { JsonSchema } from '../../platform/schema/field-spec.js';
import { jsonSchema } from '../../platform/schema/json/json-schema.js';
import type { NamedSchemas } from './named-schemas.js';

type ObjectSchema = JsonSchema & { properties: Record<string, JsonSchema>; required?: string[] };

/** The schema of the path parameter that is not a field of the input: the guard reads it. */
const STORE_ID: JsonSchema = { type: 'string', description: "The store's id." };
const RECORD_ID = 'The id of the record that the path names.';

/**
 * Descriptions of filters whose fields have none. Models, for which schemas are kept short, understand these
 * filters by their names.
 */
const FILTERS: Record<string, string> = {
  brandId: 'Only products of this brand.',
  createdFrom: 'Only what was created at this moment or later.',
  createdTo: 'Only what was created at this moment or earlier.',
  customerId: 'Only orders of this customer.',
  isHidden: 'True: only hidden products. False: only those that shoppers see.',
  maxStock: 'Only products of which, or of a variant of which, at most so many pieces are left.',
  statuses: 'Only orders with one of these statuses, separated by commas.',
  updatedFrom: 'Only what was changed at this moment or later.',
  updatedTo: 'Only what was changed at this moment or earlier.',
};

const header = (name: string, maxLength: number, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', minLength: 1, maxLength },
});

export const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  255,
  'Makes a repeat safe: for 24 hours the same key gets the first answer again, with Idempotent-Replayed: ' +
    'true, and nothing is done twice.',
);
export const IF_MATCH = header(
  'If-Match',
  40,
  'The updatedAt of the record as you last saw it. If it has changed since, the answer is 412 and nothing ' +
    'is done.',
);

/** The content of a body that is a file of one of several types, not a form. */
const fileOf = ({ types, maxBytes }: NonNullable<Endpoint['file']>) =>
  Object.fromEntries(
    types.map((type) => [type, { schema: { type: 'string', contentMediaType: type, maxLength: maxBytes } }]),
  );

/**
 * Assigns the fields of an input to the path of a request, and the others to the query of a GET or to the
 * body of other methods.
 */
export function requestParts(
  endpoint: Endpoint,
  schemas: NamedSchemas,
): { parameters: object[]; requestBody?: object } {
  const { method, input } = endpoint;
  const { properties, required = [] } = jsonSchema(input) as ObjectSchema;
  const inPath = [...pathOf(endpoint).matchAll(/:(\w+)/g)].map(([, name]) => name);
  const others = Object.keys(properties).filter((name) => !inPath.includes(name));
  const parameter = (name: string, place: string, isRequired: boolean) => {
    const { description = place === 'path' ? RECORD_ID : FILTERS[name], ...schema } =
      properties[name] ?? STORE_ID;
    return { name, in: place, required: isRequired, ...(description ? { description } : {}), schema };
  };
  const parameters = inPath.map((name) => parameter(name, 'path', true));
  if (method === 'GET')
    parameters.push(...others.map((name) => parameter(name, 'query', required.includes(name))));
  if (endpoint.file) return { parameters, requestBody: { required: true, content: fileOf(endpoint.file) } };
  // Callers may send {} to an operation without input, and a gateway that validates must let it pass.
  if (method === 'GET' || (others.length === 0 && !isOperation(endpoint))) return { parameters };
  const example = Object.entries(exampleOf(input)).filter(([name]) => others.includes(name));
  const schema = schemas.input(input, inPath);
  const content = {
    'application/json': { schema, examples: { example: { value: Object.fromEntries(example) } } },
  };
  return { parameters, requestBody: { required: others.some((name) => required.includes(name)), content } };
}
