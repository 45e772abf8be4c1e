/** A column whose values `SecretBox` seals: text, or JSON that contains sealed values. */
export interface SealedColumn {
  table: string;
  column: string;
  /**
   * Returns the purpose to which the value is bound. @param row the row's primary key, as text by column name
   */
  purpose: (row: Record<string, string>) => string;
}

const columns: SealedColumn[] = [];

/** All declared sealed columns. The list is complete once the application's modules are loaded. */
export const sealedColumns = (): readonly SealedColumn[] => columns;

/**
 * Declares a sealed column, next to the code that seals it, so that key rotation finds it. Such columns are
 * named sealed_*. A test finds columns that contain sealed values and are not declared.
 */
export function declareSealed(table: string, names: string[], purpose: SealedColumn['purpose']): void {
  for (const column of names) columns.push({ table, column, purpose });
}
