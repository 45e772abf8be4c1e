/**
 * The URL in a text, or null. `URL.canParse` is not used: once V8 has compiled its caller, Node 20's fast
 * path mistakes a string of Latin-1 letters for broken UTF-8, and refuses "https://münchen.de", which it
 * accepted before.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Whether a URL's host is the developer's own machine, where http is acceptable. */
export const isOwnMachine = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/**
 * The query of a request's URL with its question mark, written as it can stand in a quoted header; empty when
 * there is none.
 */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : new URL(url.slice(at), 'http://localhost').search.replaceAll('\\', '%5C');
}
