import type { IncomingMessage } from 'node:http';

const MOST_URL = 8 * 1024;
const MOST_PARAMETERS = 100;
const MOST_HEADERS = 100;

/**
 * What is wrong with the address or the headers of a request; null if nothing is. It is asked before
 * any library reads them, because for some the time rises with the square of what is repeated
 * (docs/behaviour.md §1.6).
 */
export function requestProblem({
  url,
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'rawHeaders'>): string | null {
  if (url!.length > MOST_URL) return 'The address of the request must not be longer than 8 KiB';
  if (rawHeaders.length > 2 * MOST_HEADERS)
    return `The request must not have more than ${MOST_HEADERS} headers`;
  const query = url!.indexOf('?');
  if (query === -1) return null;
  // A browser gets the refusal of a repeated one as a page, from the library.
  const repeats = /^\/oauth\/authorize\b/i.test(url!) ? null : 'resource';
  const problem = parametersProblem(url!.slice(query + 1), repeats);
  return problem === null ? null : `The address of the request ${problem}`;
}

/**
 * What is wrong with the parameters of a query or a form; null if nothing is.
 * @param repeated the one that may be given more than once, such as OAuth's `resource`; null if all may
 */
export function parametersProblem(encoded: string, repeated: string | null): string | null {
  const parameters = encoded.split('&', MOST_PARAMETERS + 1);
  if (parameters.length > MOST_PARAMETERS) return `must not have more than ${MOST_PARAMETERS} parameters`;
  if (repeated === null) return null;
  const seen = new Set<string>();
  for (const parameter of parameters) {
    const name = decoded(parameter.split('=', 1)[0]);
    if (name === '' || name === repeated) continue;
    if (seen.has(name)) return `must not repeat the parameter ${JSON.stringify(name.slice(0, 100))}`;
    seen.add(name);
  }
  return null;
}

function decoded(name: string): string {
  const spaced = name.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
