import { losesZeros } from '../values/cells.js';
import { nameKey } from '../values/name-key.generated.js';

export interface StoredVariant {
  id: string;
  /** Option and value. */
  name: string;
  price: number;
  salePrice: number | null;
  saleUntil?: string | null;
  itemAmount: number | null;
  sku: string | null;
  barcode: string | null;
}

export interface StoredProduct extends Omit<StoredVariant, 'name'> {
  productId: string;
  title: string;
  description: string;
  images: string[];
  isHidden: boolean;
  brand: string | null;
  brandId: string | null;
  category: string | null;
  categoryId: string | null;
  subCategory: string | null;
  tags: string | null;
  variants: StoredVariant[];
}

export interface Named {
  id: string;
  name: string;
  slug: string;
  parentId?: string | null;
}

/** What the store has when a file is compared with it. */
export interface Stored {
  products: StoredProduct[];
  brands: Named[];
  categories: Named[];
}

/** A product, or a variant of one. */
export interface Found {
  product: StoredProduct;
  variant?: StoredVariant;
}

type Code = 'sku' | 'barcode';

/** Finds what a line of a file is about. */
export class Catalog {
  private readonly byId = new Map<string, StoredProduct>();
  private readonly byProductId = new Map<string, StoredProduct>();
  private readonly byVariantId = new Map<string, Found>();
  /** Null where several have the code. */
  private readonly byCode = new Map<string, Found | null>();
  /** Codes with zeros at their beginning, by what is left without them. */
  private readonly withZeros = new Map<string, string>();

  constructor(readonly stored: Stored) {
    for (const product of stored.products) {
      this.byId.set(product.id, product);
      this.byProductId.set(nameKey(product.productId), product);
      this.noteZeros('productId', nameKey(product.productId));
      this.noteCodes(product, { product });
      for (const variant of product.variants) {
        this.byVariantId.set(variant.id, { product, variant });
        this.noteCodes(variant, { product, variant });
      }
    }
  }

  private noteCodes(codes: Record<Code, string | null>, found: Found): void {
    for (const kind of ['sku', 'barcode'] as const) {
      if (codes[kind] === null) continue;
      const code = nameKey(codes[kind]);
      const key = `${kind} ${code}`;
      this.byCode.set(key, this.byCode.has(key) ? null : found);
      this.noteZeros(kind, code);
    }
  }

  private noteZeros(kind: Code | 'productId', code: string): void {
    if (/^0\d+$/.test(code)) this.withZeros.set(`${kind} ${code.replace(/^0+/, '')}`, code);
  }

  product(id: string | null | undefined, productId: string | null | undefined): StoredProduct | undefined {
    return (
      (id ? this.byId.get(id.toLowerCase()) : undefined) ??
      (productId ? this.byProductId.get(nameKey(productId)) : undefined)
    );
  }

  variant(id: string): Found | undefined {
    return this.byVariantId.get(id.toLowerCase());
  }

  /** What has the code; null if several have. */
  coded(kind: Code, code: string): Found | null | undefined {
    return this.byCode.get(`${kind} ${nameKey(code)}`);
  }

  /** The code of the store that this one may be without its zeros. */
  zerosOf(kind: Code | 'productId', code: string): string | undefined {
    const whole = this.withZeros.get(`${kind} ${code.replace(/^0+/, '')}`);
    return whole !== undefined && losesZeros(code, whole) ? whole : undefined;
  }
}
