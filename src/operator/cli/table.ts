/** The widest cell; the rest of a longer text is cut off. */
const WIDEST = 60;

/** A list of records as a table with a line for each, for people; null for any other result. */
export function tableOf(result: unknown): string | null {
  if (!Array.isArray(result)) return null;
  if (result.length === 0) return 'none';
  if (!result.every(isRecord)) return null;
  const names = [...new Set(result.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...result.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  return lines
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const isRecord = (row: unknown): row is Record<string, unknown> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text =
    value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value as string | number | boolean);
  // What others have named may have characters that a terminal obeys.
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}
