import { type Field, SOLD } from '../formats/fields.js';
import { Unfit } from '../problem.js';
import type { Draft, SoldValues, VariantDraft } from '../reading/drafts.js';
import { isSameName, nameKey } from '../values/name-key.generated.js';
import type { Plan, Planned, Shown, Work } from './plan.js';
import type { StoredProduct, StoredVariant } from './stored.js';

/** Notes what differs. */
export type Note = (line: number, field: Field, before: Shown, after: Shown, variant?: StoredVariant) => void;

/** A variant that an existing product gets. @throws Unfit */
export function newVariant(
  { line, option, values }: VariantDraft,
  draft: Draft,
  stored: StoredProduct,
  planned: Planned,
  plan: Plan,
): Work {
  if (!option) throw new Unfit('noOption', undefined, undefined, line);
  const price = values.price ?? draft.values.price ?? stored.price;
  const item = { ...option, values: { ...given(withoutEnd(values)), price } };
  addEnd(plan, line, values);
  const { itemAmount } = values;
  planned.added.push({ optionTitle: option.title, variantValue: option.value, price, itemAmount });
  const name = `${stored.title}, ${option.title}: ${option.value}`;
  planned.differences.push({
    line,
    name,
    field: 'variant',
    before: null,
    after: `${option.title}: ${option.value}`,
  });
  return { lines: [line], item };
}

/** Variants by their options, as create_products takes them. */
export function groupsOf(items: Record<string, unknown>[]): Record<string, unknown>[] {
  const groups = new Map<string, { optionTitle: string; values: Record<string, unknown>[] }>();
  for (const { title, value, values } of items as { title: string; value: string; values: object }[]) {
    const group = groups.get(nameKey(title)) ?? { optionTitle: title, values: [] };
    groups.set(nameKey(title), group);
    group.values.push({ variantValue: value, ...values });
  }
  return [...groups.values()];
}

export const withoutEnd = ({ saleUntil: _, ...rest }: SoldValues): SoldValues => rest;

/** The end of a new variant's sale is set once the variant is there, by its code. @throws Unfit */
export function addEnd(plan: Plan, line: number, { saleUntil, sku, barcode }: SoldValues): void {
  if (!saleUntil) return;
  if (!sku && !barcode) throw new Unfit('endNeedsCode', undefined, 'saleUntil', line);
  const item = { ...(sku ? { sku } : { barcode }), saleUntil };
  plan.steps.prices.push({ lines: [line], item });
}

export const given = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

/** The fields that differ. Null for a number that must be there leaves it as it is. */
export function soldChanges(values: SoldValues, stored: SoldValues): SoldValues {
  const differing = SOLD.filter((field) => {
    const [after, before] = [values[field], stored[field] ?? null];
    const areTexts = typeof after === 'string' && typeof before === 'string';
    return after !== undefined && after !== before && !(areTexts && isSameName(after, before));
  });
  return Object.fromEntries(differing.map((field) => [field, values[field]]));
}

/** Adds what differs of a stored variant. @throws Unfit */
export function changeVariant(
  draft: VariantDraft,
  stored: StoredVariant,
  product: StoredProduct,
  plan: Plan,
  note: Note,
): void {
  const { line } = draft;
  const sold = soldChanges(draft.values, { ...stored });
  const { price, salePrice: _, saleUntil: __, itemAmount, ...codes } = sold;
  if (price === null) throw new Unfit('required', undefined, 'price', line);
  if (itemAmount === null) throw new Unfit('stockStays', undefined, 'itemAmount', line);
  const of = { productId: product.id, variantId: stored.id };
  addSold(plan, line, of, sold, draft.values);
  if (Object.keys(codes).length > 0)
    plan.steps.products.push({
      lines: [line],
      item: { id: product.id, variants: [{ id: stored.id, ...codes }] },
    });
  for (const field of SOLD)
    if (sold[field] !== undefined) note(line, field, stored[field] ?? null, sold[field], stored);
}

/**
 * Prices and stock have calls of their own. A new sale price has no end unless it comes with one.
 * @param values all that the line says, of which `sold` is what differs
 */
export function addSold(plan: Plan, line: number, of: object, sold: SoldValues, values: SoldValues): void {
  const { price, salePrice, itemAmount } = sold;
  const saleUntil = salePrice ? values.saleUntil : sold.saleUntil;
  const given = Object.entries({ price, salePrice, saleUntil }).filter(([, value]) => value !== undefined);
  const amounts = Object.fromEntries(given);
  if (Object.keys(amounts).length > 0) plan.steps.prices.push({ lines: [line], item: { ...of, ...amounts } });
  if (typeof itemAmount === 'number')
    plan.steps.stocks.push({ lines: [line], item: { ...of, absolute: itemAmount } });
}
