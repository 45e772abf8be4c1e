import type { ProductField, SoldField } from '../formats/fields.js';
import { type Catalog, type StoredProduct, type StoredVariant } from '../planning/stored.js';
import { Unfit } from '../problem.js';
import { flagOf, picturesOf, stockWord } from '../values/cells.js';
import { endOf } from '../values/times.js';
import { plainText } from '../values/plain-text.js';
import { nameKey } from '../values/name-key.generated.js';
import { levelsOf, pathsOf } from '../values/paths.js';
import { codeIn, type Group } from './groups.js';
import type { Line } from './line.js';
import { listedOptions, namesIn, type Option, optionOf } from './options.js';
import { type Prices, pricesOf } from './prices.js';

/** What a line says of what is sold. Undefined leaves a field as it is, null empties it. */
export type SoldValues = Partial<Record<SoldField, string | number | null>> & {
  price?: number | null;
  salePrice?: number | null;
  saleUntil?: string | null;
  itemAmount?: number | null;
  sku?: string | null;
  barcode?: string | null;
};

/** What the lines of a product say of it. */
export interface ProductValues extends SoldValues {
  title?: string | null;
  isHidden?: boolean;
  /** The name. */
  brand?: string | null;
  /** The ways to read the cell: paths of names from the root. */
  category?: { text: string; paths: string[][] } | null;
  subCategory?: string | null;
  tags?: string | null;
  description?: string;
  images?: string[];
}

export interface VariantDraft {
  line: number;
  option: Option | null;
  stored?: StoredVariant;
  values: SoldValues;
}

/** A product as the file has it. */
export interface Draft {
  stored: StoredProduct | undefined;
  productId: string | null;
  /** All its lines, that of the product first. */
  lines: number[];
  line: number;
  values: ProductValues;
  variants: VariantDraft[];
  hasOwnLine: boolean;
  /** `isOfVariant`: the product can be imported without that line. */
  problems: { line: number; error: Unfit; isOfVariant: boolean }[];
}

type Attempt = (line: Line, act: () => void, isOfVariant?: boolean) => void;

/** Reads the lines of a product. What is wrong is noted, line by line. */
export function draftOf(group: Group, catalog: Catalog): Draft {
  const variants = group.variants.map(({ line }) => line);
  const all = [...(group.own ? [group.own] : []), ...variants, ...group.pictures];
  const [first] = all;
  const draft: Draft = {
    ...{ stored: group.stored, productId: group.productId, hasOwnLine: group.own !== null },
    ...{ line: first.line, lines: all.map(({ line }) => line), values: {}, variants: [] },
    problems: group.problems.map(({ line, error }) => ({ line: line.line, error, isOfVariant: false })),
  };
  const attempt: Attempt = (line, act, isOfVariant = false) => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      draft.problems.push({ line: line.line, error, isOfVariant });
    }
  };
  for (const line of all) attempt(line, () => requireCurrency(line), variants.includes(line));
  attempt(first, () => {
    draft.values = productValues(group.own ? [first] : all, group.own !== null);
    if (group.own) Object.assign(draft.values, soldValues(first, catalog, group.stored));
  });
  attempt(first, () => addPictures(draft, [...(group.own ? [first] : variants), ...group.pictures]));
  addVariants(draft, group, catalog, attempt);
  return draft;
}

/** Reads the lines of variants, or the list of options in the line of the product. */
function addVariants(
  draft: Draft,
  { own, stored: product, variants, pictures }: Group,
  catalog: Catalog,
  attempt: Attempt,
) {
  const names = namesIn([...(own ? [own] : []), ...variants.map(({ line }) => line), ...pictures]);
  const base: Prices = own ? draft.values : (product ?? {});
  if (own && variants.length === 0)
    for (const option of listedOptions(own, names))
      draft.variants.push({ line: own.line, option, stored: named(product, option), values: {} });
  const known = product?.variants.map(({ name }) => name) ?? [];
  for (const { line, found } of variants) {
    const add = () => {
      const option = optionIn(line, names, known, found);
      const stored = found ?? storedVariant(line, option, product, catalog);
      const values = soldValues(line, catalog, stored, base);
      draft.variants.push({ line: line.line, option, stored, values });
    };
    attempt(line, add, true);
  }
}

const named = (product: StoredProduct | undefined, { title, value }: Option) =>
  product && variantCalled(product, `${title}: ${value}`);

function variantCalled({ variants }: StoredProduct, name: string): StoredVariant | undefined {
  const key = nameKey(name);
  return variants.find((variant) => nameKey(variant.name) === key);
}

/** A stored variant needs no option that can be read; its line may name it as it is stored. */
function optionIn(
  line: Line,
  names: ReturnType<typeof namesIn>,
  known: string[],
  found?: StoredVariant,
): Option | null {
  try {
    return optionOf(line, names, known);
  } catch (error) {
    const variant = nameKey(line.filled('variant') ?? '');
    if (found || known.some((name) => nameKey(name) === variant)) return null;
    throw error;
  }
}

/** The stored variant of the line: by option and value, or by a code. */
function storedVariant(
  line: Line,
  option: Option | null,
  product: StoredProduct | undefined,
  catalog: Catalog,
) {
  if (!product) return undefined;
  const byName = option ? named(product, option) : variantCalled(product, line.filled('variant') ?? '');
  if (byName) return byName;
  const sku = codeIn(line, 'sku', catalog, null);
  return product.variants.find((variant) => sku && variant.sku && nameKey(variant.sku) === nameKey(sku));
}

function requireCurrency(line: Line): void {
  const currency = line.filled('currency');
  if (currency && currency.toUpperCase() !== line.settings.currency)
    throw new Unfit('currency', currency, line.heading('currency'));
}

/** What is sold, by the line of it. */
function soldValues(
  line: Line,
  catalog: Catalog,
  stored: StoredProduct | StoredVariant | undefined,
  base?: Prices,
): SoldValues {
  const { price, salePrice } = pricesOf(line, base);
  const { timeZone = 'UTC' } = line.settings;
  // A sale that there is not has no end.
  const saleUntil = salePrice === null ? undefined : line.read('saleUntil', (text) => endOf(text, timeZone));
  const codes = (['sku', 'barcode'] as const).map((field) => {
    if (!line.has(field)) return [field, undefined];
    return [field, codeIn(line, field, catalog, stored?.id, stored?.[field])];
  });
  return defined({ price, salePrice, saleUntil, itemAmount: stockOf(line), ...Object.fromEntries(codes) });
}

/** The number of pieces; null where they are not counted. @throws Unfit */
function stockOf(line: Line): number | null | undefined {
  const word = stockWord(line.text('itemAmount') ?? '');
  if (word) return word === 'gone' ? 0 : null;
  if (isUncounted(line)) return null;
  const amount = line.number('itemAmount');
  if (typeof amount === 'number') return Math.max(0, amount);
  const inStock = line.filled('isInStock');
  if (inStock === undefined) return amount;
  const there = stockWord(inStock) ?? (line.read('isInStock', flagOf) ? 'there' : 'gone');
  return there === 'gone' ? 0 : null;
}

/** Shopify names what counts the stock, others say yes or no; nothing there means that nobody counts. */
function isUncounted(line: Line): boolean {
  const tracked = line.text('isTracked');
  if (tracked === undefined) return false;
  if (tracked.trim() === '') return line.filled('price') !== undefined;
  try {
    return flagOf(tracked) === false;
  } catch {
    return false;
  }
}

/**
 * What products have beside what is sold.
 * @param lines of the product itself, or those of its variants, of which the first that is filled counts
 * @param isOwn whether an empty cell empties the field
 */
function productValues(lines: Line[], isOwn: boolean): ProductValues {
  const pick = <Value>(read: (line: Line) => Value | undefined, isEmpty: (value: Value) => boolean) => {
    for (const line of lines) {
      const value = read(line);
      if (value !== undefined && (isOwn || !isEmpty(value))) return value;
    }
    return undefined;
  };
  const isBlank = (value: string | null) => value === null || value === '';
  const text = (field: ProductField) => pick((line) => line.text(field)?.trim(), isBlank);
  const nullable = (field: ProductField) => {
    const value = text(field);
    return value === '' ? null : value;
  };
  const description = pick((line) => line.text('description'), isBlank);
  return defined({
    title: text('title'),
    isHidden: pick(hiddenOf, () => false),
    brand: nullable('brand'),
    category: pick(categoryOf, (value) => value === null),
    subCategory: nullable('subCategory'),
    tags: pick(tagsOf, isBlank),
    description,
  });
}

/** The text of a description without its markup, unless it is stored as it stands. */
export const describedAs = (text: string, stored: string | undefined): string =>
  stored !== undefined && sameText(text, stored) ? stored : plainText(text);

/** What an export put before a carriage return, which a spreadsheet has taken away. */
const BEFORE_END = /(?<=^|[,;\t\n])([ "']*)'(?=\n)/g;
const plain = (text: string) => text.replace(/\r\n?/g, '\n').replace(BEFORE_END, '$1').trim();

export const sameText = (one: string, other: string) => plain(one) === plain(other);

function hiddenOf(line: Line): boolean | undefined {
  const hidden = line.read('isHidden', flagOf);
  const visible = line.all('isVisible').map(({ text }) => line.read('isVisible', flagOf, text));
  if (hidden || visible.includes(false)) return true;
  if (visible.length > 0) return false;
  return hidden === undefined ? undefined : false;
}

function categoryOf(line: Line): ProductValues['category'] | undefined {
  const one = line.text('category')?.trim();
  if (one) return { text: one, paths: [levelsOf(one)] };
  const several = line.text('categories')?.trim();
  if (several) return { text: several, paths: pathsOf(several) };
  return one === undefined && several === undefined ? undefined : null;
}

function tagsOf(line: Line): string | null | undefined {
  if (!line.has('tags')) return undefined;
  return line.text('tags')?.trim() || null;
}

/** All pictures of the lines, in the order that the file gives them. */
function addPictures(draft: Draft, lines: Line[]): void {
  if (!lines.some((line) => line.has('images') || line.has('firstImage'))) return;
  const { pictureBase } = lines[0].settings;
  const placed = lines.map((line, i) => ({ line, place: Number(line.filled('imagePlace') ?? Infinity), i }));
  placed.sort((one, other) => (one.place === other.place ? 0 : one.place - other.place) || one.i - other.i);
  const images = placed.flatMap(({ line }) => {
    return picturesIn(line).flatMap(({ text, heading }) => {
      try {
        return picturesOf(text, pictureBase);
      } catch (error) {
        throw error instanceof Unfit ? new Unfit(error.code, error.value, heading) : error;
      }
    });
  });
  if (images.length > 0) draft.values.images = [...new Set(images)];
}

/** A column of the first picture counts where there is none of all, or before those with numbers. */
function picturesIn(line: Line): { heading: string; text: string }[] {
  const [first, all] = [line.all('firstImage'), line.all('images')];
  const isNumbered = all.some(({ heading }) => /\d/.test(heading));
  return isNumbered ? [...first, ...all] : all.length > 0 ? all : first;
}

const defined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
