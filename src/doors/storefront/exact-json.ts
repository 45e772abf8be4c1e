import { JsonReader, QUOTE } from '../../platform/schema/json/json-reader.js';
import { parseInput } from '../../platform/schema/json/parse-input.js';

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];
const INTEGER = /^-?\d+$/;

/**
 * Works like JSON.parse, but returns an integer beyond 2^53-1 as the string of its digits. The messenger
 * writes user ids as JSON numbers, which must be kept exactly (docs/behaviour.md §4.1). JSON.parse passes the
 * digits to a reviver only from Node 21 on.
 * @throws SyntaxError if the text is not JSON
 * @throws OperationError invalid_input for more values than any update of the messenger has
 */
export function parseExactJson(text: string): unknown {
  const value = parseInput(text); // The code below relies on valid JSON.
  const exact = withLongIntegersQuoted(text);
  return exact === text ? value : JSON.parse(exact);
}

function withLongIntegersQuoted(text: string): string {
  const reader = new JsonReader(text, 0);
  const pieces: string[] = [];
  let copied = 0;
  while (reader.at < text.length) {
    const character = text.charCodeAt(reader.at);
    if (character === QUOTE) {
      reader.skipString();
      continue;
    }
    if (character !== MINUS && !(character >= ZERO && character <= NINE)) {
      reader.at++;
      continue;
    }
    NUMBER.lastIndex = reader.at;
    const [digits] = NUMBER.exec(text)!;
    if (INTEGER.test(digits) && !Number.isSafeInteger(Number(digits))) {
      pieces.push(text.slice(copied, reader.at), `"${digits}"`);
      copied = reader.at + digits.length;
    }
    reader.at += digits.length;
  }
  return pieces.join('') + text.slice(copied);
}
