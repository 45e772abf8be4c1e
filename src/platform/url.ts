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
