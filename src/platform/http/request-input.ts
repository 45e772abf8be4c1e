import type { Request } from 'express';
import { type DtoClass, fields } from '../schema/fields.js';
import { invalidInput } from '../errors.js';
import { parseInput } from '../schema/parse-input.js';

const DIGITS = /^\d{1,16}$/;

/**
 * What a request says, as one object for its DTO class: the query of a GET or the body of anything else, and the path's parameters.
 * The store is no part of it: whoever handles the request has the store's context.
 * @throws OperationError invalid_input for a body that is no JSON object, or that says again what the path says
 */
export function requestInput(type: DtoClass, request: Request): Record<string, unknown> {
  const { storeId: _, ...parameters } = request.params;
  const given = request.method === 'GET' ? queryOf(type, request) : bodyOf(type, request);
  const twice = Object.keys(parameters).find((name) => Object.hasOwn(given, name));
  if (twice !== undefined) throw invalidInput(`${twice} is given by the path`);
  // Not a copy: a large body may have very many properties.
  return Object.assign(given, parameters);
}

/** Everything in a query is text; digits become numbers where a number is wanted, and nothing else does. */
function queryOf(type: DtoClass, { query }: Request): Record<string, unknown> {
  const integers = new Set(fields(type).flatMap(({ name, schema }) => (schema.type === 'integer' ? [name] : [])));
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      integers.has(name) && typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
    ]),
  );
}

function bodyOf(type: DtoClass, { call }: Request): Record<string, unknown> {
  const body = call.body((text) => parseInput(text, type));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidInput('The body must be a JSON object');
  return body as Record<string, unknown>;
}
