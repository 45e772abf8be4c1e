/** Every string, and every number outside strings: a string is consumed whole, so no digits within one are ever taken for a number. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

/**
 * JSON.parse, save that an integer beyond 2^53-1 comes as the string of its digits: the messenger writes user ids as JSON numbers,
 * and they must survive exactly (docs/behaviour.md §4.1). JSON.parse tells a reviver a number's digits only from Node 21 on.
 * @throws SyntaxError for what is not JSON
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text); // The pattern relies on the text being JSON.
  const exact = text.replace(STRING_OR_NUMBER, (token) =>
    INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return exact === text ? value : JSON.parse(exact);
}
