import { type DtoClass, type JsonSchema } from '../../platform/schema/fields.js';
import { jsonSchema } from '../../platform/schema/json-schema.js';
import { NoInput } from '../../platform/schema/page.dto.js';

type InputSchema = JsonSchema & { properties: Record<string, JsonSchema>; required?: string[] };

/** The `:name` parameters of a path. */
export const parametersOf = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);

/** The path as OpenAPI writes it. */
export const openApiPath = (path: string) => path.replace(/:(\w+)/g, '{$1}');

/** Where each field of an input class stands in a request: in the path, and the rest in the query of a GET or the body of anything else. */
export function requestParts(
  method: string,
  path: string,
  input: DtoClass = NoInput,
): { parameters: object[]; requestBody?: object } {
  const { properties, required = [], ...rules } = jsonSchema(input) as InputSchema;
  const inPath = parametersOf(path);
  const others = Object.keys(properties).filter((name) => !inPath.includes(name));
  const query = method === 'GET' ? others : [];
  const body = method === 'GET' ? [] : others;
  const parameter = (name: string, place: string, needed: boolean) => ({
    name,
    in: place,
    required: needed,
    schema: properties[name] ?? { type: 'string' },
  });
  const parameters = [
    ...inPath.map((name) => parameter(name, 'path', true)),
    ...query.map((name) => parameter(name, 'query', required.includes(name))),
  ];
  if (body.length === 0) return { parameters };
  const needed = required.filter((name) => body.includes(name));
  const schema = {
    ...rules,
    properties: Object.fromEntries(body.map((name) => [name, properties[name]])),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
  return { parameters, requestBody: { required: needed.length > 0, content: { 'application/json': { schema } } } };
}
