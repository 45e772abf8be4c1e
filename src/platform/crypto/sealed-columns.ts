/** A column whose values `SecretBox` sealed: a text, or JSON with sealed values somewhere in it. */
export interface SealedColumn {
  table: string;
  column: string;
  /** What the value is bound to. @param row the row's primary key, as text by column name */
  purpose: (row: Record<string, string>) => string;
}

const columns: SealedColumn[] = [];

/** Every sealed column that was declared; complete once the application's modules are loaded. */
export const sealedColumns = (): readonly SealedColumn[] => columns;

/**
 * Declares a sealed column, beside the code that seals it, so that a rotation of the key finds it. Such a column is named sealed_*;
 * a test finds whatever else holds sealed values and is not declared.
 */
export function declareSealed(table: string, names: string[], purpose: SealedColumn['purpose']): void {
  for (const column of names) columns.push({ table, column, purpose });
}
