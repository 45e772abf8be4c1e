import { words } from '../../../words';
import { FIELDS, isSame, type Known, OF_VARIANTS, read, Unfit } from './cells';
import type { Row } from './csv';
import { isNew, newProducts } from './new-products';
import type { Plan } from './work';

/** The ways in which a row names its record, the surest first. */
const namesOf = ({ cells }: Row): string[] => {
  const { variantId, variant, productId, id, sku, barcode } = cells;
  if (variantId || variant) return [`variantId ${variantId}`, `variant ${productId}\n${variant}`];
  if (id || productId) return [`id ${id}`, `productId ${productId}`];
  return [...(sku ? [`sku ${sku}`] : []), ...(barcode ? [`barcode ${barcode}`] : [])];
};

/** The stored rows by each of their names; null where several have it. */
function storedBy(current: Row[]): Map<string, Row | null> {
  const found = new Map<string, Row | null>();
  for (const row of current) {
    const { sku, barcode } = row.cells;
    for (const name of namesOf(row)) found.set(name, row);
    for (const [kind, code] of Object.entries({ sku, barcode })) {
      const name = `${kind} ${code}`;
      if (code) found.set(name, found.has(name) ? null : row);
    }
  }
  return found;
}

/** Compares a file with what is stored, and says what has to be done. */
export function planOf(rows: Row[], current: Row[], known: Known): Plan {
  const plan: Plan = { differences: [], problems: [], created: [], products: [], prices: [], stocks: [] };
  const stored = storedBy(current);
  const withVariants = new Set(current.flatMap(({ cells }) => (cells.variantId ? [cells.id!] : [])));
  const seen = new Set<Row>();
  const found = (row: Row) =>
    namesOf(row)
      .map((name) => stored.get(name))
      .find((one) => one !== undefined);
  const attempt = ({ line, cells: { currency } }: Row, act: () => void) => {
    try {
      if (currency && currency !== known.currency) throw new Unfit(words.imports.currency(currency));
      act();
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      plan.problems.push({ line, text: error.message });
    }
  };
  const fresh = rows.filter((row) => found(row) === undefined);
  for (const row of rows) {
    const record = found(row);
    if (record === undefined) continue;
    attempt(row, () => {
      if (record === null) throw new Unfit(words.imports.several(row.cells.sku ?? row.cells.barcode ?? ''));
      if (seen.has(record)) throw new Unfit(words.imports.twice);
      seen.add(record);
      change(plan, row, record, withVariants.has(record.cells.id!), known);
    });
  }
  newProducts(plan, fresh, known, attempt);
  for (const row of fresh)
    if (!isNew(row)) plan.problems.push({ line: row.line, text: words.imports.unknown });
  plan.problems.sort((one, other) => one.line - other.line);
  return plan;
}

/** Adds what differs between a row and the stored one. */
function change(plan: Plan, { line, cells }: Row, stored: Row, hasVariants: boolean, known: Known) {
  const { id, variantId } = stored.cells;
  const fields = (variantId ? OF_VARIANTS : FIELDS).filter(
    (field) => cells[field] !== undefined && !isSame(field, cells[field], stored.cells[field] ?? '', known),
  );
  if (fields.length === 0) return;
  const values = Object.fromEntries(fields.map((field) => [field, read(field, cells[field]!, known)]));
  if (variantId && values.itemAmount === null) throw new Unfit(words.imports.stockStays);
  const of = variantId ? { productId: id, variantId } : { productId: id };
  const { price, salePrice, itemAmount, brand, category, ...others } = values as Record<string, never>;
  const amounts = { ...('price' in values && { price }), ...('salePrice' in values && { salePrice }) };
  const isSold = Boolean(variantId) || !hasVariants;
  if (isSold && Object.keys(amounts).length > 0) plan.prices.push({ line, item: { ...of, ...amounts } });
  const isCounted = isSold && typeof values.itemAmount === 'number';
  if (isCounted) plan.stocks.push({ line, item: { ...of, absolute: itemAmount } });
  const rest = {
    ...others,
    ...(!isSold && amounts),
    ...('itemAmount' in values && !isCounted && { itemAmount }),
    ...('brand' in values && { brandId: brand }),
    ...('category' in values && { categoryId: category }),
  };
  if (Object.keys(rest).length > 0) {
    const item = variantId ? { id: id!, variants: [{ id: variantId, ...rest }] } : { id: id!, ...rest };
    plan.products.push({ line, item });
  }
  const name = [stored.cells.title, stored.cells.variant].filter(Boolean).join(', ');
  for (const field of fields)
    plan.differences.push({ line, name, field, before: stored.cells[field] ?? '', after: cells[field]! });
}
