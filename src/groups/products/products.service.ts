import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { Page, PageRequest } from '../../platform/schema/pages/page.js';
import { foldLine } from '../../platform/text/case-folding.js';
import { isUuid } from '../../platform/schema/formats.js';
import { explainConstraints, invalidInput, notFound } from '../../platform/errors.js';
import { changeRecord, createRecord, deleteRecord, readPage } from '../../platform/store/records.js';
import type { Deleted } from '../../platform/schema/pages/page.dto.js';
import { clearedWarning, withWarnings } from '../../platform/schema/warnings.js';
import { lastEdit } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Product } from './product.entity.js';
import { exactPrices, requireExactPrices } from './bulk/prices.js';
import {
  END_HOLDINGS,
  GET_PRODUCT,
  INSERT_VARIANTS,
  LIST_PRODUCTS,
  productNamed,
} from './product.statements.js';
import { settingStock } from './bulk/stock.service.js';
import { ownValuesWarning, priceWarnings } from './sale-warnings.js';
import { type CreateProductInput, ProductRecord, type UpdateProductInput } from './products.dto.js';
import { MAX_VARIANTS, type VariantGroupInput, type VariantGroupRecord } from './variants/variants.dto.js';

explainConstraints({ products_product_id_key: 'productId is already used by another product of this store' });

const PRODUCT = {
  entity: Product,
  name: 'Product',
  output: ProductRecord,
  alsoNamedBy: 'productId' as const,
  editedAt: lastEdit,
};

@Injectable()
export class ProductsService {
  list(ctx: StoreContext, page: PageRequest): Promise<Page<RowOf<typeof LIST_PRODUCTS>>> {
    return readPage(ctx, LIST_PRODUCTS, page);
  }

  /** @param id the internal id or the external productId */
  async get(ctx: StoreContext, id: string): Promise<ShownProduct> {
    const [row] = await ctx.session.read(GET_PRODUCT, productNamed(id));
    if (!row) throw notFound('Product', id);
    return { ...row, variants: grouped(row.variants) };
  }

  async create(ctx: StoreContext, input: CreateProductInput): Promise<ShownProduct> {
    const { variants = [], ...fields } = input;
    const count = variants.reduce((sum, { values }) => sum + values.length, 0);
    if (count > MAX_VARIANTS)
      throw invalidInput(`variants must have at most ${MAX_VARIANTS} values in all; these have ${count}`);
    requireExactPrices(ctx, fields);
    variants.forEach(({ values }, i) =>
      values.forEach((value, j) => requireExactPrices(ctx, value, `variants[${i}].values[${j}].`)),
    );
    requireDistinctVariants(variants);
    requireLinks(fields);
    const { id, createdAt } = await createRecord(ctx, PRODUCT, input, {
      ...exactPrices(fields),
      isHidden: false,
      searchText: searchText(fields),
    });
    if (variants.length > 0) await insertVariants(ctx, id, variants, createdAt);
    const product = await this.get(ctx, id);
    const ofValues = variants.flatMap(({ values }, i) =>
      values.flatMap((value, j) => priceWarnings(value, {}, `variants[${i}].values[${j}].`)),
    );
    return withWarnings(product, [...priceWarnings(fields), ...ofValues]);
  }

  async update(ctx: StoreContext, { id, ...fields }: UpdateProductInput): Promise<ShownProduct> {
    requireExactPrices(ctx, fields);
    requireLinks(fields);
    let prices: Pick<Product, 'price' | 'salePrice'> | undefined;
    const changed = await changeRecord(ctx, settingStock(PRODUCT, fields), id, (before) => {
      prices = { price: before.price, salePrice: before.salePrice };
      if (fields.itemAmount === null && before.itemAmount !== null)
        ctx.session.send(END_HOLDINGS, { productId: before.id, variantId: null });
      return {
        ...exactPrices(fields),
        searchText: searchText({
          ...before,
          title: fields.title ?? before.title,
          tags: fields.tags === undefined ? before.tags : fields.tags,
        }),
      };
    });
    const product = await this.get(ctx, changed.id);
    const own = (['price', 'salePrice', 'itemAmount'] as const).filter(
      (name) => fields[name] !== undefined && (fields[name] !== null || name in ctx.audit.changes!),
    );
    const setsPrice = fields.price !== undefined || fields.salePrice !== undefined;
    return withWarnings(product, [
      ...(setsPrice ? priceWarnings(product, prices) : []),
      ...ownValuesWarning(own, namedVariants(product)),
      ...clearedWarning(ctx.audit.changes!),
    ]);
  }

  /** A foreign key deletes its variants with it. */
  delete(ctx: StoreContext, id: string): Promise<Deleted> {
    return deleteRecord(ctx, PRODUCT, id, (product) => this.get(ctx, product.id));
  }
}

type ProductRow = RowOf<typeof GET_PRODUCT>;
/** A product with its variants by option. Its prices are exact decimals as text. */
type ShownProduct = Omit<ProductRow, 'variants'> & { variants: VariantGroupRecord[]; warnings?: string[] };

const namedVariants = ({ variants }: ShownProduct) =>
  variants.flatMap(({ optionTitle, values }) =>
    values.map(({ id, variantValue }) => ({ id, name: `${optionTitle}: ${variantValue}` })),
  );

/**
 * Refuses texts that are not ids, because they would never reach the foreign keys, which refuse ids that are
 * not in the store (docs/behaviour.md §1.3).
 */
function requireLinks({
  brandId,
  categoryId,
}: {
  brandId?: string | null;
  categoryId?: string | null;
}): void {
  if (typeof brandId === 'string' && !isUuid(brandId))
    throw invalidInput('brandId is not a brand of this store');
  if (typeof categoryId === 'string' && !isUuid(categoryId))
    throw invalidInput('categoryId is not a category of this store');
}

/** The value of `products.search_text`: one line each for title, external id and tags. */
function searchText({
  title,
  productId,
  tags,
}: {
  title: string;
  productId: string;
  tags?: string | null;
}): string {
  return [title, productId, tags].map((text) => foldLine(text ?? '')).join('\n');
}

/** An order could not distinguish two equal values of one option (docs/behaviour.md §6.6). */
function requireDistinctVariants(groups: VariantGroupInput[]): void {
  const seen = new Map<string, Set<string>>();
  for (const [i, { optionTitle, values }] of groups.entries()) {
    const option = seen.get(optionTitle) ?? new Set();
    seen.set(optionTitle, option);
    for (const [j, { variantValue }] of values.entries()) {
      if (option.has(variantValue)) {
        throw invalidInput(
          `variants[${i}].values[${j}].variantValue repeats a value of the option ` +
            JSON.stringify(optionTitle),
        );
      }
      option.add(variantValue);
    }
  }
}

async function insertVariants(
  ctx: StoreContext,
  productId: string,
  groups: VariantGroupInput[],
  now: Date,
): Promise<void> {
  const variants = groups.flatMap(({ optionTitle, values }) =>
    values.map((value) => ({ optionTitle, ...value })),
  );
  await ctx.session.run(INSERT_VARIANTS, {
    productId,
    // Ids rise in the given order, which is the order shown if the sort orders are equal.
    ids: variants.map(() => newId()),
    optionTitles: variants.map(({ optionTitle }) => optionTitle),
    variantValues: variants.map(({ variantValue }) => variantValue),
    prices: variants.map(({ price }) => price),
    salePrices: variants.map(({ salePrice }) => salePrice),
    itemAmounts: variants.map(({ itemAmount }) => itemAmount),
    sortOrders: variants.map(({ sortOrder }) => sortOrder ?? 0),
    now,
  });
}

/** Groups the variants by option. Groups are in the order of their first value. */
function grouped(variants: ProductRow['variants']): VariantGroupRecord[] {
  const groups = new Map<string, VariantGroupRecord>();
  for (const { optionTitle, ...value } of variants) {
    const group = groups.get(optionTitle) ?? { optionTitle, values: [] };
    groups.set(optionTitle, group);
    group.values.push(value);
  }
  return [...groups.values()];
}
