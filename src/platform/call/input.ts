import { isPlainObject, type DtoClass, fieldsByName } from '../schema/fields.js';
import { invalidInput } from '../errors.js';
import { parseInput } from '../schema/parse-input.js';
import { validateInput } from '../schema/validate.js';
import type { CallRequest, Endpoint } from './endpoint.js';

const DIGITS = /^\d{1,16}$/;

/**
 * What a call says, checked: the query of a GET or the body of anything else, and the path's parameters, as one object of the
 * endpoint's class. The store is no part of it: whoever handles the call has the store's context.
 * @throws OperationError invalid_input for what the class does not take, and for a body that says again what the path says
 */
export function inputOf({ method, input, foreignBody, file }: Endpoint, { call, params, query }: CallRequest): object {
  if (foreignBody) return asObject(call.body(foreignBody));
  const given = method === 'GET' ? queryOf(input, query!) : file ? {} : call.body((text) => parseInput(text, input));
  if (file) requireType(file.types, call.headers['content-type']);
  for (const name in params) {
    if (name === 'storeId') continue;
    if (Object.hasOwn(asObject(given), name)) throw invalidInput(`${name} is given by the path`);
    // Not a copy: a large body may have very many properties.
    asObject(given)[name] = params[name];
  }
  return validateInput(input, given);
}

/** Everything in a query is text. Where a number, a flag or a list is wanted, digits, true and false, and what commas separate become one. */
function queryOf(type: DtoClass, query: NonNullable<CallRequest['query']>): Record<string, unknown> {
  const wanted = fieldsByName(type);
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, asWanted(wanted.get(name)?.schema.type, value)]));
}

function asWanted(type: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'integer' && DIGITS.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return type === 'array' ? value.split(',') : value;
}

function requireType(types: readonly string[], given: string | undefined): void {
  if (given === undefined || !types.includes(mediaType(given)))
    throw invalidInput(`Content-Type must be one of ${types.join(', ')}`);
}

/** Of a Content-Type: without its parameters. */
export const mediaType = (contentType: string) => contentType.split(';', 1)[0].trim().toLowerCase();

function asObject(body: unknown): Record<string, unknown> {
  if (!isPlainObject(body)) throw invalidInput('The body must be a JSON object');
  return body;
}
