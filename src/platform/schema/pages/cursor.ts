/** An opaque cursor of the values that make up a position, as JSON. */
export const toCursor = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

/** The values of a cursor. @returns null for a text that `toCursor` would not write so */
export function fromCursor(cursor: string): unknown[] | null {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(values) && toCursor(values) === cursor ? (values as unknown[]) : null;
  } catch {
    return null;
  }
}
