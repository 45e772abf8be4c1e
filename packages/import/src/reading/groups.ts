import { plainWord, ROW_TYPES } from '../formats/words.js';
import type { Catalog, Found, StoredProduct } from '../planning/stored.js';
import { Unfit } from '../problem.js';
import { codeOf, isShortened, shortens } from '../values/cells.js';
import { nameKey } from '../values/name-key.generated.js';
import type { Line } from './line.js';
import { hasOption, isOnlyVariation } from './options.js';

/** The lines of one product. */
export interface Group {
  stored: StoredProduct | undefined;
  /** The shop's own id, where the file has one. */
  productId: string | null;
  /** The line of the product itself; in many files there are only those of its variants. */
  own: Line | null;
  variants: { line: Line; found?: Found['variant'] }[];
  /** Lines that only add a picture. */
  pictures: Line[];
  problems: { line: Line; error: Unfit }[];
}

export interface Grouped {
  groups: Group[];
  /** Lines that say nothing of a product: headings of sections in a price list. */
  sections: Line[];
  problems: { line: Line; error: Unfit }[];
}

type Kind = 'product' | 'variant' | 'picture' | 'other' | null;

function kindOf(line: Line): Kind {
  const word = plainWord(line.filled('rowType') ?? '');
  if (word === '') return null;
  const [kind] = Object.entries(ROW_TYPES).find(([, words]) => words.has(word)) ?? [];
  return (kind as Kind | undefined) ?? 'product';
}

/**
 * Brings together the lines of each product, in any order: those with the same id, those that name it as
 * their parent, and those of the same title where there is no id.
 */
export function grouped(lines: Line[], catalog: Catalog): Grouped {
  return new Grouping(catalog, lines).result;
}

class Grouping {
  private readonly groups = new Map<string, Group>();
  /** Products by what variants may call their parent. */
  private readonly parents = new Map<string, { key: string; productId: string }>();
  /** Products that the store has under another id, known by a code of one of their lines. */
  private readonly known = new Map<string, StoredProduct>();
  readonly result: Grouped = { groups: [], sections: [], problems: [] };

  constructor(
    private readonly catalog: Catalog,
    lines: Line[],
  ) {
    for (const line of lines) if (!line.filled('parent')) this.attempt(line, () => this.note(line));
    for (const line of lines) this.attempt(line, () => this.add(line));
    this.result.groups = [...this.groups.values()];
  }

  private attempt(line: Line, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      const isThere = this.result.problems.some((problem) => problem.line === line);
      if (!isThere) this.result.problems.push({ line, error });
    }
  }

  private note(line: Line): void {
    const { catalog } = this;
    // The shop's own id leaves no doubt, whatever has become of codes.
    if (catalog.product(line.filled('id'), null)) return;
    const productId = codeIn(line, 'productId', catalog, line.filled('id'));
    const sku = codeIn(line, 'sku', catalog, null);
    const name = productId ?? sku;
    if (name === null) return;
    const found = catalog.product(line.filled('id'), name) ?? foundByCode(line, catalog)?.product;
    if (found && found.productId !== name) this.known.set(nameKey(name), found);
    const key = found ? placeOfStored(found).key : keyOf(name);
    for (const one of [productId, `id:${productId}`, sku])
      if (one && !this.parents.has(nameKey(one))) this.parents.set(nameKey(one), { key, productId: name });
  }

  private add(line: Line): void {
    const kind = kindOf(line);
    if (kind === 'other') throw new Unfit('otherKind', line.filled('rowType'), line.heading('rowType'));
    const isBare = line.size === 1 && line.filled('title') !== undefined;
    const isList = ['price', 'sku', 'itemAmount'].some((field) => line.has(field as 'price'));
    if (isBare && isList && !line.filled('price')) return void this.result.sections.push(line);
    const place = this.placeOf(line, kind);
    const group = this.groups.get(place.key) ?? this.begin(place);
    if (place.found) group.variants.push({ line, found: place.found });
    else if (kind === 'variant' || (kind === null && hasOption(line) && !isOnlyVariation(line)))
      group.variants.push({ line });
    else if (kind === 'picture' || (isPicture(line) && (group.own || group.variants.length > 0)))
      group.pictures.push(line);
    else if (group.own) group.problems.push({ line, error: new Unfit('twice', String(group.own.line)) });
    else group.own = line;
  }

  private begin({ key, stored, productId }: Place): Group {
    const group = { stored, productId, own: null, variants: [], pictures: [], problems: [] };
    this.groups.set(key, group);
    return group;
  }

  /** Of which product a line is. @throws Unfit */
  private placeOf(line: Line, kind: Kind): Place {
    const { catalog } = this;
    const variantId = line.filled('variantId');
    const byVariant = variantId ? catalog.variant(variantId) : undefined;
    if (byVariant) return { ...placeOfStored(byVariant.product), found: byVariant.variant };
    const parent = line.filled('parent');
    if (parent) return this.placeOfParent(parent);
    const id = line.filled('id');
    const productId = codeIn(line, 'productId', catalog, id);
    const stored =
      catalog.product(id, productId) ?? (productId ? this.known.get(nameKey(productId)) : undefined);
    const found = catalog.product(id, null) ? undefined : foundByCode(line, catalog);
    if (stored)
      return { ...placeOfStored(stored), found: found?.product === stored ? found.variant : undefined };
    if (productId !== null) return { key: keyOf(productId), stored, productId };
    if (id !== undefined) throw new Unfit('unknown');
    if (found) return { ...placeOfStored(found.product), found: found.variant };
    const title = line.filled('title');
    if (!title) throw new Unfit('unknown');
    const sku = codeIn(line, 'sku', catalog, null);
    const isVariant = kind === 'variant' || (hasOption(line) && !isOnlyVariation(line));
    if (sku !== null && !isVariant) return { key: keyOf(sku), stored, productId: sku };
    return this.placeOfTitle(title);
  }

  private placeOfTitle(title: string): Place {
    const productId = idOf(title);
    const stored = this.catalog.product(null, productId);
    return { key: `title ${title}`, stored, productId };
  }

  private placeOfParent(parent: string): Place {
    const plain = parent.replace(/^id:/, '');
    const { key, productId } = this.parents.get(nameKey(parent)) ?? { key: keyOf(plain), productId: plain };
    const id = /^stored (.*)$/.exec(key)?.[1];
    const stored = id
      ? this.catalog.product(id, null)
      : (this.catalog.product(null, plain) ?? this.catalog.coded('sku', plain)?.product);
    return stored ? placeOfStored(stored) : { key, stored, productId };
  }
}

interface Place {
  key: string;
  stored: StoredProduct | undefined;
  productId: string | null;
  found?: Found['variant'];
}

/** The key of a product that the store does not have, by its own id. */
const keyOf = (productId: string) => `productId ${nameKey(productId)}`;

const placeOfStored = (stored: StoredProduct): Place => ({
  key: `stored ${stored.id}`,
  stored,
  productId: stored.productId,
});

/**
 * An id or code of a line, whole: what a spreadsheet has shortened or cut is known by the store's, where the
 * line is known otherwise.
 * @throws Unfit
 */
export function codeIn(
  line: Line,
  field: 'productId' | 'sku' | 'barcode',
  catalog: Catalog,
  knownBy: string | null | undefined,
  stored?: string | null,
): string | null {
  const code = line.read(field, codeOf) ?? null;
  if (code === null) return null;
  const own = stored ?? (field === 'productId' ? catalog.product(knownBy, null)?.productId : undefined);
  if (isShortened(code)) {
    if (own && shortens(code, own)) return own;
    throw new Unfit('shortened', code, line.heading(field));
  }
  const whole = catalog.zerosOf(field, code);
  if (whole === undefined || isTaken(catalog, field, code)) return code;
  if (line.settings.zeros === 'meant' && !knownBy) return code;
  if (line.settings.zeros === 'lost' || (knownBy && own === whole)) return whole;
  if (knownBy && own !== whole) return code;
  throw new Unfit('zeros', whole, line.heading(field));
}

const isTaken = (catalog: Catalog, field: 'productId' | 'sku' | 'barcode', code: string) =>
  field === 'productId'
    ? catalog.product(null, code) !== undefined
    : catalog.coded(field, code) !== undefined;

/** What the store has under a code of the line. @throws Unfit if several have it and nothing else names it */
function foundByCode(line: Line, catalog: Catalog): Found | undefined {
  const isNamed = (['id', 'productId', 'title'] as const).some((field) => line.filled(field));
  for (const field of ['sku', 'barcode'] as const) {
    const code = codeIn(line, field, catalog, null);
    const found = code === null ? undefined : catalog.coded(field, code);
    if (found === null && !isNamed) throw new Unfit('several', code!, line.heading(field));
    if (found) return found;
  }
  return undefined;
}

/** Whether a line adds a picture to a product of other lines, and says nothing else. */
const isPicture = (line: Line) =>
  line.filled('images') !== undefined &&
  (['title', 'price', 'sku'] as const).every((field) => !line.filled(field));

/** An id made of a title, for files that have none. */
const idOf = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || title;
