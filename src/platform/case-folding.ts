/**
 * Text as it compares without case, composed: every letter of Unicode equals its upper and its lower case. Lower case first, for
 * the capital ẞ, then upper, so that ß meets SS; the two small sigmas of Greek are one letter. Not PostgreSQL's lower(), which
 * knows what the database's locale knows.
 */
export function caseFold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** One line of a text that is searched: line feeds divide the lines, so a line has none. */
export function foldLine(text: string): string {
  return caseFold(text).replaceAll('\n', ' ');
}
