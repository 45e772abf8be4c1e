/**
 * Where a spreadsheet may begin a cell: at the start of a text, and after what separates cells or lines in
 * some country's settings, passing over blanks and quotes. What may begin a formula there, the wide forms
 * included, follows.
 */
const BEGINS_FORMULA = /(?<=^|[,;\t\r\n])([ "']*)(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * A text for a cell of a CSV file that no spreadsheet runs: an apostrophe stands before whatever could begin
 * a formula. It is undone by taking off exactly one apostrophe there (docs/behaviour.md §10.2).
 */
export const neutralized = (text: string): string => text.replace(BEGINS_FORMULA, "$1'");
