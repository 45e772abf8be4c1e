/** Blanks of every width, that of braille among them. U+FEFF, which `\s` has too, is none. */
export const BLANK = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\u2800';
export const BLANKS = new RegExp(`[${BLANK}]+`, 'g');
/** What has no glyph. Some scripts need the joiners among it within words. */
export const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\p{Cc}\\ufff9-\\ufffb';
/** Blanks among the control characters stay. */
const NAMELESS = new RegExp(`(?![${BLANK}])[${INVISIBLE}]`, 'gu');

/**
 * The key of an external id, stock keeping unit, barcode, option or value, whose case matters. `name_key` in
 * the database computes the same, for the columns that are compared with it. The build copies this file to
 * the package that imports files, so it has no imports.
 */
export const nameKey = (text: string): string =>
  text.normalize('NFC').replace(NAMELESS, '').normalize('NFC').replace(BLANKS, ' ').trim();

/** Whether two names are one. */
export const isSameName = (one: string, other: string): boolean => nameKey(one) === nameKey(other);
