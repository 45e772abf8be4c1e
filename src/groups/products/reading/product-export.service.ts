import { Injectable } from '@nestjs/common';
import Big from 'big.js';
import { type RowOf, as, statement } from '../../../platform/database/statement.js';
import { currencyExponent } from '../../../platform/money.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { everyPage } from '../../../search/find.js';
import type { ExportedProduct, ExportProductsInput } from './product-export.dto.js';
import { ProductSearch } from './product-search.service.js';
import type { FoundRow } from './product-search.statements.js';
import { saleUntilOf } from '../sale.statements.js';

/**
 * Columns that find_products leaves out, and the options of variants by their ids. A linked brand or category
 * comes before the product's own text.
 */
const EXPORT_DETAILS = statement(
  'export_product_details',
  `select p.id, coalesce(b.name, p.brand) as brand, coalesce(g.name, p.category) as category, p.tags,
     p.description, ${saleUntilOf('p')} as "saleUntil", p.images[1] as image,
     array_to_string(p.images, ' ') as images, (
       select json_object_agg(v.id, v.option_title) from variants v
       where v.store_id = $store and v.product_id = p.id) as options
   from products p left join brands b on b.store_id = $store and b.id = p.brand_id
   left join categories g on g.store_id = $store and g.id = p.category_id
   where p.store_id = $store and p.id = any($ids::uuid[])`,
  { row: as<{ options: Record<string, string> | null }>(), slow: true },
);

/**
 * The number of products read at once. A description may have 20,000 characters, and a product 4,000
 * variants.
 */
const PAGE = 50;

type Priced = Pick<
  FoundRow | FoundRow['variants'][number],
  'price' | 'salePrice' | 'itemAmount' | 'sku' | 'barcode'
>;
type Amount = (value: Priced['salePrice']) => string | null;

/** Exports as a table all products that find_products would find. */
@Injectable()
export class ProductExport {
  constructor(private readonly search: ProductSearch) {}

  /**
   * Yields the rows of product after product. Each page of products is read separately, so that no
   * transaction is held open for a slow reader.
   * @throws OperationError like find_products
   */
  async *pages(ctx: StoreContext, filters: ExportProductsInput): AsyncGenerator<ExportedProduct[]> {
    const decimals = currencyExponent(ctx.currency);
    const amount: Amount = (value) => (value === null ? null : new Big(value).toFixed(decimals));
    const page = (cursor?: string) => this.search.page(ctx, { ...filters, take: PAGE, cursor });
    for await (const items of everyPage(page)) {
      const details = await ctx.session.read(EXPORT_DETAILS, {
        ids: items.map(({ id }) => id),
        now: ctx.now(),
      });
      const ofProduct = new Map(details.map((row) => [row.id, row]));
      for (const product of items) yield rowsOf(product, ofProduct.get(product.id), ctx.currency, amount);
    }
  }
}

/** @param details undefined if the product has just been deleted */
function rowsOf(
  product: FoundRow,
  details: RowOf<typeof EXPORT_DETAILS> | undefined,
  currency: string,
  amount: Amount,
): ExportedProduct[] {
  const { id, productId, title, isHidden, updatedAt, variants } = product;
  const same = { id, productId, title, currency, isHidden, updatedAt };
  const none = {
    saleUntil: null,
    brand: null,
    category: null,
    tags: null,
    description: null,
    image: null,
    images: null,
  };
  const priced = ({ price, salePrice, itemAmount, sku, barcode }: Priced) => ({
    price: amount(price)!,
    salePrice: amount(salePrice),
    ...{ itemAmount, sku, barcode },
  });
  const { options, ...texts } = details ?? { ...none, options: null };
  const noVariant = { variantId: null, variant: null, option: null, value: null };
  return [
    { ...same, ...noVariant, ...priced(product), ...texts },
    ...variants.map((variant) => {
      const option = options?.[variant.id] ?? null;
      return {
        ...same,
        ...none,
        variantId: variant.id,
        variant: variant.name,
        option,
        // The name is option and value.
        value: option === null ? null : variant.name.slice(option.length + 2),
        ...priced(variant),
        saleUntil: variant.saleUntil === undefined ? null : new Date(variant.saleUntil),
      };
    }),
  ];
}
