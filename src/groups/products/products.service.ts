import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { PageRequest } from '../../platform/schema/pages/page.js';
import { explainConstraints, notFound } from '../../platform/errors.js';
import { changeRecord, createRecord, deleteRecord, readPage } from '../../platform/store/records.js';
import type { Deleted } from '../../platform/schema/pages/page.dto.js';
import { clearedWarning, withWarnings } from '../../platform/schema/warnings.js';
import { lastEdit } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { nameKey } from '../../platform/text/name-key.js';
import { documentsChange } from '../../search/documents.js';
import { Places, withOnSale } from './places.js';
import { Product } from './product.entity.js';
import { exactPrices, requireExactPrices, saleAfter, soldAt } from './prices.js';
import { GET_PRODUCT, INSERT_VARIANTS, LIST_PRODUCTS, productNamed } from './product.statements.js';
import { endHoldings, settingStock } from './stock.service.js';
import { PRODUCT_ID_USED, requireCreatable, requireLinks } from './product-checks.js';
import { newPriceWarnings, optionsWarning, ownValuesWarning, priceWarnings } from './sale-warnings.js';
import { type CreateProductInput, ProductRecord, type UpdateProductInput } from './products.dto.js';
import type { VariantGroupInput, VariantGroupRecord } from './variants/variants.dto.js';

explainConstraints({ products_product_id_key: PRODUCT_ID_USED, products_product_key: PRODUCT_ID_USED });

export const PRODUCT = {
  entity: Product,
  name: 'Product',
  output: ProductRecord,
  alsoNamedBy: 'productId' as const,
  comparedBy: { column: 'productKey', keyOf: nameKey } as const,
  editedAt: lastEdit,
};

@Injectable()
export class ProductsService {
  async list(ctx: StoreContext, page: PageRequest) {
    const { items, ...rest } = await readPage(ctx, LIST_PRODUCTS, page, { now: ctx.now() });
    return { ...rest, items: items.map(withOnSale) };
  }

  /** @param id the internal id or the external productId */
  async get(ctx: StoreContext, id: string): Promise<ShownProduct> {
    const [row] = await ctx.session.read(GET_PRODUCT, { ...productNamed(id), now: ctx.now() });
    if (!row) throw notFound('Product', id);
    return { ...withOnSale(row), variants: grouped(row.variants) };
  }

  async create(ctx: StoreContext, input: CreateProductInput): Promise<ShownProduct> {
    requireCreatable(ctx, input);
    const { variants = [], ...fields } = input;
    const { id, createdAt } = await createRecord(ctx, PRODUCT, input, {
      ...exactPrices(fields),
      isHidden: false,
    });
    documentsChange(ctx, 'product', [id]);
    if (variants.length > 0) await insertVariants(ctx, id, variants, createdAt);
    const product = await this.get(ctx, id);
    const places = await Places.of(ctx, [product]);
    return withWarnings(product, [
      ...newPriceWarnings(input),
      ...optionsWarning(0, product.variants.length),
      ...(fields.itemAmount === undefined ? [] : ownValuesWarning(['itemAmount'], namedVariants(product))),
      ...places.warnings(fields, product),
    ]);
  }

  async update(ctx: StoreContext, { id, ...fields }: UpdateProductInput): Promise<ShownProduct> {
    requireExactPrices(ctx, fields);
    requireLinks(fields);
    let prices: Pick<Product, 'price' | 'salePrice'> | undefined;
    const changed = await changeRecord(ctx, settingStock(PRODUCT, fields), id, async (before) => {
      prices = soldAt(before, ctx.now());
      if (fields.itemAmount === null && before.itemAmount !== null) await endHoldings(ctx, before.id, null);
      return exactPrices({ ...fields, ...saleAfter(ctx, before, fields) });
    });
    if (fields.title !== undefined || fields.tags !== undefined)
      documentsChange(ctx, 'product', [changed.id]);
    const product = await this.get(ctx, changed.id);
    const own = (['price', 'salePrice', 'itemAmount'] as const).filter(
      (name) => fields[name] !== undefined && (fields[name] !== null || name in ctx.audit.changes!),
    );
    const places = await Places.of(ctx, [product]);
    const setsPrice = fields.price !== undefined || fields.salePrice !== undefined;
    return withWarnings(product, [
      ...(setsPrice ? priceWarnings(product, prices) : []),
      ...ownValuesWarning(own, namedVariants(product)),
      ...places.warnings(fields, product),
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
type ShownProduct = Omit<ReturnType<typeof withOnSale<ProductRow>>, 'variants'> & {
  variants: VariantGroupRecord[];
  warnings?: string[];
};

const namedVariants = ({ variants }: ShownProduct) =>
  variants.flatMap(({ optionTitle, values }) =>
    values.map(({ id, variantValue }) => ({ id, name: `${optionTitle}: ${variantValue}` })),
  );

async function insertVariants(
  ctx: StoreContext,
  productId: string,
  groups: VariantGroupInput[],
  now: Date,
): Promise<void> {
  const variants = groups.flatMap(({ optionTitle, values }) =>
    values.map((value) => ({ optionTitle, ...value })),
  );
  await ctx.session.query(INSERT_VARIANTS, {
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
