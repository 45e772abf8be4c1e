/**
 * The text in a form for comparing without case, composed (NFC). Every letter of Unicode equals its upper and
 * its lower case. It is lowered first, for the capital ẞ, then raised, so that ß equals SS. The two small
 * Greek sigmas are one letter. PostgreSQL's lower() cannot be used, because it depends on the database's
 * locale.
 */
export function caseFold(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

/**
 * One line of a searched text. Line feeds separate the lines, so a line must not contain any. Letters that
 * people write for each other are one: ё and е, and the i of Turkish with and without its dot.
 */
export function foldLine(text: string): string {
  return caseFold(text)
    .replaceAll('\n', ' ')
    .replaceAll('i\u0307', 'i')
    .replaceAll('\u0131', 'i')
    .replaceAll('\u0451', '\u0435');
}
