import { addressOf } from '../../../api/client';
import { readAll } from '../../../api/queries';
import { Refusal } from '../../../api/refusal';
import type { Store } from '../../../api/store';
import { language, words } from '../../../words';
import { FIELDS, type Known } from './cells';
import { rowsOf } from './csv';
import { planOf } from './plan';
import type { Plan } from './work';

/** What is stored, as the export writes it. */
async function exported(storeId: string): Promise<string> {
  const address = addressOf('GET stores/{storeId}/products/export.csv', { storeId });
  const response = await fetch(address).catch(() => {
    throw new Refusal('unreachable', '');
  });
  if (response.ok) return response.text();
  const answer = (await response.json().catch(() => null)) as {
    error?: { code: string; message: string };
  } | null;
  throw new Refusal(answer?.error?.code ?? 'unreachable', answer?.error?.message ?? '');
}

/** Compares a file with the store. @throws Error in words, if it is no table of products */
export async function readFile(file: File, store: Store): Promise<Plan> {
  const text = await file.text();
  if (text.includes('\uFFFD')) throw new Error(words.imports.encoding);
  const { columns, rows, broken } = rowsOf(text);
  if (!columns.some((name) => FIELDS.some((field) => field === name)))
    throw new Error(words.imports.columns(FIELDS.join(', ')));
  const [current, brand, category] = await Promise.all([
    exported(store.id),
    columns.includes('brand') ? readAll(store.id, 'list_brands', {}) : [],
    columns.includes('category') ? readAll(store.id, 'list_categories', {}) : [],
  ]);
  const lists = { brand, category };
  const known: Known = {
    ...{ currency: store.currency, decimals: store.currencyDecimals, language },
    idsOf: (kind, name) => lists[kind].filter((one) => one.name === name).map(({ id }) => id),
  };
  const whole = rows.filter(({ line }) => !broken.includes(line));
  const plan = planOf(whole, rowsOf(current).rows, known);
  plan.problems.push(...broken.map((line) => ({ line, text: words.imports.quotes })));
  return plan;
}
