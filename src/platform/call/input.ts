import { type DtoClass, fieldsByName } from '../schema/field-spec.js';
import { invalidInput } from '../errors.js';
import { parseInput, isPlainObject } from '../schema/json/parse-input.js';
import { validateInput } from '../schema/validate.js';
import type { Call } from '../store/call.js';
import { longTurn } from '../timers.js';
import type { CallRequest, Endpoint } from './endpoint.js';

const DIGITS = /^\d{1,16}$/;
/** The largest body of an endpoint that anybody may call, such as signing in. */
const STRANGERS_BYTES = 64 * 1024;
const LONG_BODY = 64 * 1024;

/** Whether the body may be so long that each step with it has a turn of the event loop of its own. */
export const isLong = ({ headers }: Call): boolean =>
  Number(headers['content-length']) > LONG_BODY || headers['transfer-encoding'] !== undefined;

/**
 * The validated input of a call: the query of a GET, or the body of any other method, together with the
 * path's parameters, as one object of the endpoint's class. The store is not part of it, because the handler
 * has the store's context.
 * @throws OperationError invalid_input for input that the class does not accept, and for a body that repeats
 * a path parameter
 */
export async function inputOf(
  { method, input, foreignBody, file, access }: Endpoint,
  { call, params, query }: CallRequest,
): Promise<object> {
  if (foreignBody) return asObject(await call.body(foreignBody));
  const max = access === 'public' || access === 'optional' ? STRANGERS_BYTES : undefined;
  const given =
    method === 'GET'
      ? queryOf(input, query!)
      : file
        ? {}
        : await call.body((text) => parseInput(text, input), max);
  if (file) requireType(file.types, call.headers['content-type']);
  for (const name in params) {
    if (name === 'storeId') continue;
    if (Object.hasOwn(asObject(given), name)) throw invalidInput(`${name} is given by the path`);
    // No copy is made, because a large body may have very many properties.
    asObject(given)[name] = params[name];
  }
  if (!isLong(call)) return validateInput(input, given);
  await longTurn();
  const valid = validateInput(input, given);
  await longTurn();
  return valid;
}

/**
 * Everything in a query is text. Where the class has a number, a flag or a list, digits, true or false, or
 * text with commas become one.
 */
function queryOf(type: DtoClass, query: NonNullable<CallRequest['query']>): Record<string, unknown> {
  const wanted = fieldsByName(type);
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, asWanted(wanted.get(name)?.schema.type, value)]),
  );
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

/** The media type of a Content-Type, without its parameters. */
export const mediaType = (contentType: string) => contentType.split(';', 1)[0].trim().toLowerCase();

function asObject(body: unknown): Record<string, unknown> {
  if (!isPlainObject(body)) throw invalidInput('The body must be a JSON object');
  return body;
}
