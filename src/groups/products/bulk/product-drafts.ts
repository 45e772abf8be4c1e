import { recordset } from '../../../platform/database/columns.js';
import type { RowOf } from '../../../platform/database/statement.js';
import { notFound } from '../../../platform/errors.js';
import { newId } from '../../../platform/ids.js';
import type { Sentence } from '../../../platform/problems.js';
import { clearedWarning } from '../../../platform/schema/warnings.js';
import { nameKey } from '../../../platform/text/name-key.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { EventLoopYield } from '../../../platform/timers.js';
import { documentsChange } from '../../../search/documents.js';
import { type NamedVariant, optionsWarning, ownValuesWarning, priceWarnings } from '../sale-warnings.js';
import { requireRoomForAll } from '../variants/variant-bounds.js';
import type { CodedChange, CodedGroup, CodedValue, VariantCodes } from './many-products.dto.js';
import {
  ADD_VARIANTS,
  type LOCK_PRODUCTS_WITH_IDS,
  type LOCK_VARIANTS_OF,
  UPDATE_PRODUCTS,
  UPDATE_VARIANTS,
} from './many-products.statements.js';
import { saleAfter } from '../prices.js';
import { endHoldings } from '../stock.service.js';

export type ProductRow = Omit<RowOf<typeof LOCK_PRODUCTS_WITH_IDS>, 'named'>;
export type VariantRow = RowOf<typeof LOCK_VARIANTS_OF>;
export type Fields = Omit<CodedChange, 'id' | 'variants'>;
type Changes = Record<string, [unknown, unknown]>;

/** A product with its variants. Its values are never changed in place. */
export interface Draft {
  product: ProductRow;
  variants: readonly VariantRow[];
}

/** The product with the given fields. Undefined leaves a field as it is. */
export function withFields(ctx: StoreContext, product: ProductRow, fields: Fields): ProductRow {
  return withValues(product, { ...fields, ...saleAfter(ctx, product, fields) });
}

/**
 * Matches variants by option and value: those given are changed or added, none is removed.
 * @param path the prefix of the names of the fields
 * @throws OperationError invalid_input if the product would have more variants than it may
 */
export function withVariants(
  ctx: StoreContext,
  { product, variants }: Draft,
  groups: CodedGroup[],
  path: string,
): VariantRow[] {
  const all = new Map<string, Map<string, VariantRow>>();
  const ofOption = (title: string) => {
    const key = nameKey(title);
    return all.get(key) ?? all.set(key, new Map()).get(key)!;
  };
  for (const variant of variants) ofOption(variant.optionTitle).set(nameKey(variant.variantValue), variant);
  for (const { optionTitle, values } of groups) {
    const option = ofOption(optionTitle);
    for (const { variantValue, ...value } of values) {
      const key = nameKey(variantValue);
      const found = option.get(key);
      option.set(
        key,
        found
          ? withValues(found, { ...value, ...saleAfter(ctx, found, value) })
          : newVariant(product.id, { optionTitle, variantValue, ...value }),
      );
    }
  }
  const result = [...all.values()].flatMap((option) => [...option.values()]);
  const titles = result.map(({ optionTitle }) => optionTitle);
  requireRoomForAll(titles, `${path}variants`);
  return result;
}

/**
 * The variants with their codes.
 * @param path the prefix of the names of the fields
 * @throws OperationError not_found for a variant that is not of the product
 */
export function withCodes({ variants }: Draft, given: VariantCodes[], path: string): VariantRow[] {
  const all = byId(variants);
  for (const [i, { id, ...codes }] of given.entries()) {
    const found = all.get(id.toLowerCase());
    if (!found) throw notFound(`${path}variants[${i}].id: variant`, id);
    all.set(found.id, withValues(found, codes));
  }
  return [...all.values()];
}

export function newVariant(
  productId: string,
  {
    optionTitle,
    variantValue,
    price,
    salePrice,
    itemAmount,
    sortOrder,
    sku,
    barcode,
  }: CodedValue & {
    optionTitle: string;
  },
): VariantRow {
  return {
    ...{ id: newId(), productId, optionTitle, variantValue, price: String(price) },
    salePrice: typeof salePrice === 'number' ? String(salePrice) : null,
    saleUntil: null,
    itemAmount: itemAmount ?? null,
    sortOrder: sortOrder ?? 0,
    ...{ sku: sku ?? null, barcode: barcode ?? null },
  };
}

/**
 * The warnings of a change that an item made (docs/behaviour.md §5).
 * @param named the variants of the product as warnings name them
 */
export function changeWarnings(
  before: Draft,
  after: Draft,
  fields: Fields,
  named: NamedVariant[],
): Sentence[] {
  const changes = changesOf(before.product, after.product);
  const own = (['price', 'salePrice', 'itemAmount'] as const).filter((name) => name in changes);
  const old = byId(before.variants);
  const ofVariants = after.variants.flatMap((variant) =>
    variant === old.get(variant.id) ? [] : priceWarnings(variant, old.get(variant.id), nameOf(variant)),
  );
  const setsPrice = fields.price !== undefined || fields.salePrice !== undefined;
  return [
    ...(setsPrice ? priceWarnings(after.product, before.product) : []),
    ...ofVariants,
    ...ownValuesWarning(own, named),
    ...optionsWarning(optionsOf(before), optionsOf(after)),
    ...clearedWarning(changes),
  ];
}

/** What a call changed of a product and its variants. */
interface Difference {
  /** For the audit row. Empty if nothing differs. */
  changes: Changes;
  added: VariantRow[];
  changed: VariantRow[];
  /** The variants whose stock is no longer tracked, and null for the product's own. */
  untracked: (string | null)[];
}

function differenceOf(before: Draft, { product, variants }: Draft): Difference {
  const changes = prefixed(`product:${product.id}`, changesOf(before.product, product));
  const difference: Difference = { changes, added: [], changed: [], untracked: [] };
  const isUntracked = (old: { itemAmount: number | null }, now: { itemAmount: number | null }) =>
    now.itemAmount === null && old.itemAmount !== null;
  if (isUntracked(before.product, product)) difference.untracked.push(null);
  const old = byId(before.variants);
  for (const variant of variants) {
    const previous = old.get(variant.id);
    if (previous === variant) continue;
    if (!previous) {
      changes[`variant:${variant.id}`] = [null, variant];
      difference.added.push(variant);
      continue;
    }
    Object.assign(changes, prefixed(`variant:${variant.id}`, changesOf(previous, variant)));
    difference.changed.push(variant);
    if (isUntracked(previous, variant)) difference.untracked.push(variant.id);
  }
  return difference;
}

/**
 * Writes the changed products and variants, which are locked, in few statements.
 * @param drafts each product as it was and as it is now
 * @returns the changes for the audit row
 */
export async function writeDrafts(
  ctx: StoreContext,
  drafts: { before: Draft; after: Draft }[],
): Promise<Changes> {
  const changes: Changes = {};
  const [products, added, changed] = [[] as ProductRow[], [] as VariantRow[], [] as VariantRow[]];
  const pace = new EventLoopYield();
  for (const { before, after } of drafts) {
    await pace.rest();
    const found = differenceOf(before, after);
    if (Object.keys(found.changes).length === 0) continue;
    Object.assign(changes, found.changes);
    products.push(after.product);
    added.push(...found.added);
    changed.push(...found.changed);
    for (const variantId of found.untracked) await endHoldings(ctx, after.product.id, variantId);
  }
  const now = ctx.now();
  documentsChange(
    ctx,
    'product',
    products.map(({ id }) => id),
  );
  if (products.length > 0) ctx.session.enqueue(UPDATE_PRODUCTS, { rows: recordset(products), now });
  await inParts(changed, (rows) => ctx.session.enqueue(UPDATE_VARIANTS, { rows, now }));
  await addVariants(ctx, added, now);
  return changes;
}

export const addVariants = (ctx: StoreContext, variants: readonly VariantRow[], now: Date): Promise<void> =>
  inParts(variants, (rows) => ctx.session.enqueue(ADD_VARIANTS, { rows, now }));

/** How many variants one statement writes: a call may have 30,000, which take long to write down. */
const PART = 1_000;

async function inParts(variants: readonly VariantRow[], write: (rows: string) => void): Promise<void> {
  const pace = new EventLoopYield();
  for (let from = 0; from < variants.length; from += PART) {
    write(recordset(variants.slice(from, from + PART)));
    await pace.rest();
  }
}

const byId = (variants: readonly VariantRow[]) => new Map(variants.map((variant) => [variant.id, variant]));

export const nameOf = ({ optionTitle, variantValue }: VariantRow) => `${optionTitle}: ${variantValue}`;

/** How many options it has. */
export const optionsOf = ({ variants }: Draft) =>
  new Set(variants.map(({ optionTitle }) => nameKey(optionTitle))).size;

const isPrice = (name: string) => name === 'price' || name === 'salePrice';

/** The row with the values that are given; the same object if none differs. Prices are exact texts. */
function withValues<Row extends object>(row: Row, values: object): Row {
  const old = row as Record<string, unknown>;
  const differing = Object.entries(values).filter(
    ([name, value]) => value !== undefined && !isSame(name, old[name], value),
  );
  if (differing.length === 0) return row;
  const texts = differing.map(([name, value]) => [
    name,
    isPrice(name) && typeof value === 'number' ? String(value) : (value as unknown),
  ]);
  return { ...row, ...(Object.fromEntries(texts) as Partial<Row>) };
}

/** A number may be written with more zeros. */
function isSame(name: string, before: unknown, after: unknown): boolean {
  if (isPrice(name) && before !== null && after !== null) return Number(before) === Number(after);
  return JSON.stringify(before) === JSON.stringify(after);
}

function changesOf(before: object, after: object): Changes {
  const old = before as Record<string, unknown>;
  const shown = (name: string, value: unknown) =>
    isPrice(name) && value !== null ? Number(value) : (value ?? null);
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => !isSame(name, old[name], value))
      .map(([name, value]) => [name, [shown(name, old[name]), shown(name, value)]]),
  );
}

const prefixed = (kind: string, changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).map(([name, pair]) => [`${kind}.${name}`, pair]));
