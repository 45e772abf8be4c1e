import type { Problem, Told } from '../../../../src/platform/problems';
import { hasAllWords } from '../../words';
import { words } from '../../words/all';
import type { Money } from '../../words/problems-on-pages';
import { ofStore } from '../amounts';
import { problemsOf, Refusal } from '../refusal';

/** The text of a refusal for a shop owner. Where we have no words, the service's own text is kept. */
export function inWords(error: Error): string {
  if (!(error instanceof Refusal)) return error.message;
  if (error.code === 'rate_limited') return words.refusals.rate_limited(error.retryAfter ?? 60);
  return toldInWords(error.told, atField) ?? error.message;
}

const OF_CODES = (): Record<string, string> => ({
  unreachable: words.refusals.unreachable,
  internal_error: words.refusals.internal_error,
  precondition_failed: words.conflict.title,
  not_found: words.refusals.not_found,
  forbidden: words.refusals.forbidden,
});

/** The name of a field as the forms of products have it. */
export function fieldLabel(field: string): string {
  const { price, salePrice, stock: itemAmount, brand: brandId, category: categoryId } = words.products;
  return { price, salePrice, itemAmount, brandId, categoryId }[field] ?? words.fields[field] ?? field;
}

type Say = (values: Told['values'], money: Money) => string;

/** Several problems stand one after another. */
function toldInWords(told: Told, say: (problem: Told) => string | undefined): string | undefined {
  const said = problemsOf(told).flatMap((one) => say(one) ?? []);
  return said.length > 0 ? said.join(' ') : undefined;
}

/** A problem as it is said beside its field; undefined without words. */
function inPlace({ problem, values }: Told): string | undefined {
  const say: Partial<Record<Problem, Say>> = { ...words.fieldProblems, ...words.problems } as never;
  return say[problem as Problem]?.(values, ofStore()) ?? OF_CODES()[problem];
}

/** A problem of a field that stands nowhere near it is told with the field's name. */
function atField(told: Told): string | undefined {
  const said = inPlace(told);
  const [, field] = /(\w+)(?:\[\d+\])*$/.exec(String(told.values.path ?? '')) ?? [];
  const isOfField = field && hasAllWords && told.problem in words.fieldProblems;
  return said && isOfField ? `${fieldLabel(field)}: ${said}` : said;
}

/** The error of one field, in an owner's words; undefined without any. */
export const fieldInWords = (told: Told): string | undefined => toldInWords(told, inPlace);

/** Why an item of many was refused, as the answer of the call for many has it. */
export interface ItemRefusal extends Partial<Told> {
  message: string;
}

/**
 * Why an item of many was refused. The service names the item by its place in the call, which says nothing
 * here: `items[3].price must be a number greater than 0`.
 */
export function itemInWords({ message, problem, values = {} }: ItemRefusal): string {
  const text = message.replace(/^items\[\d+\](\.\w+)*:? /, '');
  return (problem && fieldInWords({ problem, values })) ?? text.charAt(0).toUpperCase() + text.slice(1);
}
