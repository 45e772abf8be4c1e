import { Unfit } from '../problem.js';
import type { Settings } from '../reading/line.js';
import { deepest } from '../values/paths.js';
import { slugOf } from '../values/slug.js';
import type { Named, Stored, StoredProduct } from './stored.js';

/** Brands and categories to be made. */
export interface Missing {
  brands: { name: string; slug: string }[];
  categories: { path: string[]; slug: string; parentId?: string }[];
}

/** A brand or category that a product gets: one that there is, or one to be made. */
export type Reference = { id: string | null } | { make: string[] };

export const plain = (name: string) => name.normalize('NFKC').trim().toLowerCase();
/** A path as it is compared. */
export const keyOf = (path: string[]) => path.map(plain).join('\n');

/** Finds brands by their names, and categories by their names or paths. */
export class References {
  private readonly brands = new Map<string, Named[]>();
  private readonly categories = new Map<string, Named[]>();
  private readonly byPath = new Map<string, Named>();
  private readonly paths = new Map<string, string[]>();
  private readonly brandNames: Map<string, string>;
  private readonly slugs: Set<string>;
  /** What is to be made, each once. */
  private readonly missing = { brands: new Map<string, string>(), categories: new Map<string, string[]>() };

  constructor(stored: Stored) {
    this.slugs = new Set([...stored.brands, ...stored.categories].map(({ slug }) => slug));
    const byId = new Map(stored.categories.map((category) => [category.id, category]));
    for (const brand of stored.brands) add(this.brands, brand);
    for (const category of stored.categories) {
      add(this.categories, category);
      const path = pathOf(category, byId);
      this.paths.set(category.id, path);
      this.byPath.set(keyOf(path), category);
    }
    this.brandNames = new Map(stored.brands.map(({ id, name }) => [id, name]));
  }

  /** What shoppers see as the brand of a stored product. */
  brandOf({ brandId, brand }: StoredProduct): string | null {
    return (brandId && this.brandNames.get(brandId)) || brand;
  }

  /** The path of the category of a stored product, or its own text. */
  categoryOf({ categoryId, category }: StoredProduct): string[] | null {
    return (categoryId && this.paths.get(categoryId)) || (category ? [category] : null);
  }

  /** @throws Unfit if several have the name */
  brand(name: string): Reference {
    const id = only(this.brands, name);
    if (id) return { id };
    this.missing.brands.set(plain(name), name);
    return { make: [name] };
  }

  /** @throws Unfit if several have the name */
  category({ text, paths }: { text: string; paths: string[][] }): Reference {
    const byName = only(this.categories, text, this.byPath.get(keyOf([text])));
    if (byName) return { id: byName };
    const path = deepest(paths);
    const found =
      this.byPath.get(keyOf(path)) ??
      (path.length === 1 ? { id: only(this.categories, path[0]) } : undefined);
    if (found?.id) return { id: found.id };
    for (const i of path.keys()) {
      const above = path.slice(0, i + 1);
      if (!this.byPath.has(keyOf(above))) this.missing.categories.set(keyOf(above), above);
    }
    return { make: path };
  }

  /** What is missing, categories after those above them. */
  get made(): Missing {
    return {
      brands: [...this.missing.brands.values()].map((name) => ({ name, slug: this.freeSlug(name) })),
      categories: [...this.missing.categories.values()].map((path) => {
        const parentId = this.byPath.get(keyOf(path.slice(0, -1)))?.id;
        return { path, slug: this.freeSlug(path.join(' ')), ...(parentId && { parentId }) };
      }),
    };
  }

  private freeSlug(name: string): string {
    const base = slugOf(name) || 'x';
    let slug = base;
    for (let n = 2; this.slugs.has(slug); n++) slug = `${base}-${n}`;
    this.slugs.add(slug);
    return slug;
  }
}

function add(all: Map<string, Named[]>, one: Named): void {
  all.set(plain(one.name), [...(all.get(plain(one.name)) ?? []), one]);
}

/** The id of the only one with this name; of several, that which is named exactly so. */
function only(all: Map<string, Named[]>, name: string, atRoot?: Named): string | undefined {
  const found = all.get(plain(name)) ?? [];
  const exact = found.filter((one) => one.name === name);
  const [first, ...others] = exact.length > 0 ? exact : found;
  if (others.length > 0 && !atRoot) throw new Unfit('several', name);
  return others.length > 0 ? atRoot!.id : first?.id;
}

function pathOf(category: Named, byId: Map<string, Named>): string[] {
  const path: string[] = [];
  for (
    let one: Named | undefined = category;
    one && path.length < 50;
    one = one.parentId ? byId.get(one.parentId) : undefined
  )
    path.unshift(one.name);
  return path;
}

/** Without agreement, what would have to be made is missing. @throws Unfit */
export function requireMade(
  reference: Reference | undefined,
  { makesMissing }: Settings,
  column: string,
): void {
  if (reference && 'make' in reference && !makesMissing)
    throw new Unfit('noSuch', reference.make.join(' > '), column);
}
