import type { DtoClass } from '../../platform/schema/field-spec.js';
import { rangeOf } from '../../platform/schema/json/json-reader.js';
import { holdsManyValues, parseInput, isPlainObject } from '../../platform/schema/json/parse-input.js';

/**
 * Parses the message in a body. The arguments of a tool call may hold as many values as the operation accepts
 * over HTTP, and are parsed in the same way. The rest of the message may not.
 * @param inputOf returns the input class of a tool's operation, if the tool exists
 * @throws SyntaxError, OperationError as parseInput does
 */
export function parseMessage(text: string, inputOf: (tool: string) => DtoClass | undefined): unknown {
  if (!holdsManyValues(text)) return parseInput(text);
  return (
    withArguments(text, ['params'], inputOf) ??
    // A call by way of another tool.
    withArguments(text, ['params', 'arguments'], inputOf) ??
    parseInput(text)
  );
}

/** @param path of the object with the tool's name and arguments @returns null without a known tool there */
function withArguments(
  text: string,
  path: string[],
  inputOf: (tool: string) => DtoClass | undefined,
): unknown {
  const [start, end] = rangeOf(text, [...path, 'arguments']) ?? [0, 0];
  if (end === 0) return null;
  const without = `${text.slice(0, start)}{}${text.slice(end)}`;
  if (holdsManyValues(without)) return null;
  const message = parseInput(without);
  const called = path.reduce<unknown>((at, name) => (isPlainObject(at) ? at[name] : undefined), message);
  const type = isPlainObject(called) && typeof called.name === 'string' ? inputOf(called.name) : undefined;
  if (!isPlainObject(called) || !type) return null;
  called.arguments = parseInput(text.slice(start, end), type);
  return message;
}
