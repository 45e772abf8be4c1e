/**
 * The URL a text is, or null. Not `URL.canParse`: once V8 has compiled its caller, Node 20's fast path takes a string of
 * Latin-1 letters for broken UTF-8, and refuses "https://münchen.de" that it accepted before.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Whether a URL's host is a developer's own machine, where http must do. */
export const isOwnMachine = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
