import { type DtoClass, isPlainObject } from '../../platform/schema/field-spec.js';
import { rangeOf } from '../../platform/schema/json/json-reader.js';
import { holdsManyValues, parseInput } from '../../platform/schema/json/parse-input.js';

/**
 * Parses the message in a body. The arguments of a tool call may hold as many values as the operation accepts
 * over HTTP, and are parsed in the same way. The rest of the message may not.
 * @param inputOf returns the input class of a tool's operation, if the tool exists
 * @throws SyntaxError, OperationError as parseInput does
 */
export function parseMessage(text: string, inputOf: (tool: string) => DtoClass | undefined): unknown {
  const [start, end] = (holdsManyValues(text) && rangeOf(text, ['params', 'arguments'])) || [0, 0];
  if (end === 0) return parseInput(text);
  const message = parseInput(`${text.slice(0, start)}{}${text.slice(end)}`);
  const params = isPlainObject(message) ? message.params : null;
  const type = isPlainObject(params) && typeof params.name === 'string' ? inputOf(params.name) : undefined;
  if (isPlainObject(params) && type) params.arguments = parseInput(text.slice(start, end), type);
  return message;
}
