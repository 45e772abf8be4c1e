import type { Mapping } from '../../../../../packages/import/src/reading/mapping';
import type { Settings } from '../../../../../packages/import/src/reading/line';
import { words } from '../../../words/all';

/** What a person chose for files with the same headings. */
export interface Choices {
  mapping: Mapping;
  settings: Pick<Settings, 'decimalSign' | 'pictureBase' | 'picture'>;
}

/** How many kinds of files are remembered. */
const MOST = 20;
const keyOf = (storeId: string) => `import ${storeId}`;
type Kept = [signature: string, choices: Choices][];

const all = (storeId: string) => JSON.parse(localStorage.getItem(keyOf(storeId)) ?? '[]') as Kept;

/** What is remembered; JSON has null for a column that was asked. */
export function keptChoices(storeId: string, signature: string): Choices | undefined {
  const of = (wanted: string) => all(storeId).find(([kept]) => kept === wanted)?.[1];
  // The file of problems has one column more than the file that was chosen for.
  const mark = `${words.imports.problem.toLowerCase()}\n`;
  const rest = signature.startsWith(mark) ? of(signature.slice(mark.length)) : undefined;
  return of(signature) ?? (rest && { ...rest, mapping: [null, ...rest.mapping] });
}

export function keepChoices(storeId: string, signature: string, choices: Choices): void {
  const others = all(storeId).filter(([kept]) => kept !== signature);
  const kept: Kept = [[signature, choices], ...others];
  localStorage.setItem(keyOf(storeId), JSON.stringify(kept.slice(0, MOST)));
}
