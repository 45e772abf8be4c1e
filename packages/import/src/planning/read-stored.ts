import type { Named, Stored, StoredProduct, StoredVariant } from './stored.js';

/** Calls an operation of the store. */
export type Call = <Result>(operation: string, input: object) => Promise<Result>;

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

async function all<Item>(call: Call, operation: string, signal?: AbortSignal): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    signal?.throwIfAborted();
    const page: Page<Item> = await call(operation, { take: 100, ...(cursor !== null && { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

type Found = Pick<StoredProduct, 'id' | 'sku' | 'barcode'> & { variants: StoredVariant[] };
type Listed = Omit<StoredProduct, 'sku' | 'barcode' | 'variants'>;

/** Reads what a file is compared with: products with their variants and codes, brands and categories. */
export async function readStored(call: Call, signal?: AbortSignal): Promise<Stored> {
  const [listed, found, brands, categories] = await Promise.all([
    all<Listed>(call, 'list_products', signal),
    all<Found>(call, 'find_products', signal),
    all<Named>(call, 'list_brands', signal),
    all<Named>(call, 'list_categories', signal),
  ]);
  const byId = new Map(found.map((product) => [product.id, product]));
  const products = listed.map((product): StoredProduct => {
    const { sku = null, barcode = null, variants = [] } = byId.get(product.id) ?? {};
    return { ...product, sku, barcode, variants };
  });
  return { products, brands, categories };
}
