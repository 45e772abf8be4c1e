import { words } from '../words';
import { Refusal } from './refusal';
import { NOT_ANY_MORE } from './undo';

/**
 * The text of a refusal for a shop owner. Where we have no better one, the service's own text is kept,
 * because it names the field and the limit.
 */
export function inWords(error: Error): string {
  const { refusals } = words;
  if (!(error instanceof Refusal)) return error.message;
  if (error.code === 'unreachable') return refusals.unreachable;
  if (error.code === 'internal_error') return refusals.internal_error;
  if (error.message.startsWith('Idempotency-Key was used before')) return refusals.madeBefore;
  if (error.message.startsWith(NOT_ANY_MORE)) return words.common.notUndone;
  if (error.code === 'rate_limited') return refusals.rate_limited(error.retryAfter ?? 60);
  const [, mostViews] = /^page has (\d+) views/.exec(error.message) ?? [];
  if (mostViews) return words.views.tooMany(Number(mostViews));
  return error.message;
}

const RULES: [RegExp, (match: RegExpExecArray) => string][] = [
  [/^is already used/, () => words.refusals.used],
  [/^is required/, () => words.refusals.required],
  // This rule comes before the one about lengths, because its text names a length too, which is rarely the
  // problem.
  [/URL/, () => words.refusals.url],
  [/of (\d+) to (\d+) characters/, ([, min, max]) => words.refusals.length(Number(min), Number(max))],
  [/at most (\d+) characters/, ([, max]) => words.refusals.tooLong(Number(max))],
  [/at least (\d+) characters/, ([, min]) => words.refusals.tooShort(Number(min))],
  [/integer of at least (-?[\d.]+)/, ([, min]) => `${words.refusals.whole} ${words.refusals.atLeast(min)}`],
  [/must be an integer/, () => words.refusals.whole],
  [/number of at least (-?[\d.]+)/, ([, min]) => words.refusals.atLeast(min)],
  [/greater than (-?[\d.]+)/, ([, min]) => words.refusals.above(min)],
  [/must be a number/, () => words.refusals.number],
];

/** The error of one field, in an owner's words if the service's text matches a known rule. */
export function fieldInWords(text: string): string {
  for (const [pattern, say] of RULES) {
    const match = pattern.exec(text);
    if (match) return say(match);
  }
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Why an item of many was refused. The service names the item by its place in the call, which says nothing
 * here: `items[3].price must be a number greater than 0`.
 */
export const itemInWords = ({ message }: { message: string }): string =>
  fieldInWords(message.replace(/^items\[\d+\](\.\w+)*:? /, ''));

/** The name of a field as the forms of products have it. */
function named(field: string): string {
  const { price, salePrice, stock: itemAmount, brand: brandId, category: categoryId } = words.products;
  return { price, salePrice, itemAmount, brandId, categoryId }[field] ?? words.fields[field] ?? field;
}
const allNamed = (fields: string) => fields.split(', ').map(named).join(', ');

/** A warning about a variant names it, or a new one by its place in the call, which says nothing here. */
const atVariant = (text: string) =>
  new RegExp(`^(?:variants\\[\\d+\\]\\.values\\[\\d+\\]\\.|(.+: ))?${text}`);

const WARNINGS: [RegExp, (match: string[]) => string][] = [
  [
    atVariant('salePrice (\\S+) is not below price (\\S+):'),
    ([, of = '', sale, price]) => of + words.warnings.saleNotBelow(sale, price),
  ],
  [
    atVariant('(price|salePrice) was (\\S+) and is now (\\S+):'),
    ([, of = '', field, before, after]) => of + words.warnings.jump(named(field), before, after),
  ],
  [/^(.+) ha(?:s|ve) no effect on orders:/, ([, fields]) => words.warnings.noEffect(allNamed(fields))],
  [/^null has cleared (.+)$/, ([, fields]) => words.warnings.cleared(allNamed(fields))],
  [/^(?:buttonText|buttonUrl) without /, () => words.warnings.noButton],
];

/** What the service warns of, for a shop owner. Where we have no better words, its own are kept. */
export function warningInWords(text: string): string {
  for (const [pattern, say] of WARNINGS) {
    const match = pattern.exec(text);
    if (match) return say(match);
  }
  return text;
}
