import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { changedFields, deletion } from '../../platform/store/audit.js';
import { DEFAULT_TAKE, idBelow, NEWEST_FIRST, type Page, type PageRequest, pageOf } from '../../platform/schema/page.js';
import { isUuid } from '../../platform/schema/formats.js';
import { explainConstraints, invalidInput, notFound } from '../../platform/errors.js';
import { nextVersion } from '../../platform/store/version.js';
import { present } from '../../platform/schema/present.js';
import type { Deleted } from '../../platform/schema/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Product } from './product.entity.js';
import { exactPrices, requireExactPrices } from './prices.js';
import { GET_PRODUCT, INSERT_VARIANTS, LIST_PRODUCTS, productNamed } from './product.statements.js';
import { type CreateProductInput, type ProductListItem, ProductRecord, type UpdateProductInput } from './products.dto.js';
import type { VariantGroupInput, VariantGroupRecord, VariantRecord } from './variants.dto.js';

explainConstraints({ products_product_id_key: 'productId is already used by another product of this store' });

@Injectable()
export class ProductsService {
  async list(ctx: StoreContext, { take = DEFAULT_TAKE, cursor }: PageRequest): Promise<Page<ProductListItem>> {
    const rows = await ctx.session.read<ProductListItem & Record<string, unknown>>(LIST_PRODUCTS, idBelow(cursor), take + 1);
    return pageOf(rows, take, NEWEST_FIRST);
  }

  /** @param id the internal id or the external productId */
  async get(ctx: StoreContext, id: string): Promise<ProductRecord> {
    const [row] = await ctx.session.read<ProductRow>(GET_PRODUCT, ...productNamed(id));
    if (!row) throw notFound('Product', id);
    return { ...row, variants: grouped(row.variants) };
  }

  async create(ctx: StoreContext, input: CreateProductInput): Promise<ProductRecord> {
    const { variants = [], ...fields } = input;
    requireExactPrices(ctx, fields);
    variants.forEach(({ values }, i) =>
      values.forEach((value, j) => requireExactPrices(ctx, value, `variants[${i}].values[${j}].`)),
    );
    requireDistinctVariants(variants);
    requireLinks(fields);
    const id = uuidv7();
    const now = ctx.now();
    await ctx.rows(Product).insert({
      salePrice: null,
      itemAmount: null,
      brand: null,
      category: null,
      subCategory: null,
      tags: null,
      shippingTime: null,
      season: null,
      brandId: null,
      categoryId: null,
      ...exactPrices(fields),
      id,
      isHidden: false,
      createdAt: now,
      updatedAt: now,
    });
    if (variants.length > 0) await insertVariants(ctx, id, variants, now);
    ctx.audit.target = `product:${id}`;
    ctx.audit.changes = changedFields({}, input);
    return this.get(ctx, id);
  }

  async update(ctx: StoreContext, { id, ...fields }: UpdateProductInput): Promise<ProductRecord> {
    requireExactPrices(ctx, fields);
    requireLinks(fields);
    const product = await ctx.rows(Product).findById(id, { lock: true });
    if (!product) throw notFound('Product', id);
    ctx.checkUnchanged(product.updatedAt);
    const changes = changedFields(present(ProductRecord, { ...product, variants: [] }), fields);
    if (Object.keys(changes).length > 0) {
      await ctx
        .rows(Product)
        .update({ id: product.id }, { ...exactPrices(fields), updatedAt: nextVersion(ctx, product.updatedAt) });
    }
    ctx.audit.target = `product:${product.id}`;
    ctx.audit.changes = changes;
    return this.get(ctx, product.id);
  }

  /** Its variants go with it, by their foreign key. */
  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    const product = await ctx.rows(Product).findById(id, { lock: true });
    if (!product) throw notFound('Product', id);
    ctx.checkUnchanged(product.updatedAt);
    const record = await this.get(ctx, product.id);
    await ctx.rows(Product).delete({ id: product.id });
    ctx.audit.target = `product:${product.id}`;
    ctx.audit.changes = deletion(ProductRecord, record);
    return { id: product.id, deleted: true };
  }
}

type FlatVariant = Omit<VariantRecord, 'productId'>;
type ProductRow = Omit<ProductRecord, 'variants'> & { variants: FlatVariant[] } & Record<string, unknown>;

/** The foreign keys refuse what is not in the store; what is no id at all never gets that far (docs/behaviour.md §1.3). */
function requireLinks({ brandId, categoryId }: { brandId?: string | null; categoryId?: string | null }): void {
  if (typeof brandId === 'string' && !isUuid(brandId)) throw invalidInput('brandId is not a brand of this store');
  if (typeof categoryId === 'string' && !isUuid(categoryId)) throw invalidInput('categoryId is not a category of this store');
}

/** An order could not tell two equal values of one option apart (docs/behaviour.md §6.6). */
function requireDistinctVariants(groups: VariantGroupInput[]): void {
  const seen = new Map<string, Set<string>>();
  for (const [i, { optionTitle, values }] of groups.entries()) {
    const option = seen.get(optionTitle) ?? new Set();
    seen.set(optionTitle, option);
    for (const [j, { variantValue }] of values.entries()) {
      if (option.has(variantValue)) {
        throw invalidInput(
          `variants[${i}].values[${j}].variantValue repeats a value of the option ${JSON.stringify(optionTitle)}`,
        );
      }
      option.add(variantValue);
    }
  }
}

async function insertVariants(ctx: StoreContext, productId: string, groups: VariantGroupInput[], now: Date): Promise<void> {
  const variants = groups.flatMap(({ optionTitle, values }) => values.map((value) => ({ optionTitle, ...value })));
  await ctx.session.run(
    INSERT_VARIANTS,
    productId,
    // Ids rise in the order given, which is the order shown where sortOrder does not tell.
    variants.map(() => uuidv7()),
    variants.map(({ optionTitle }) => optionTitle),
    variants.map(({ variantValue }) => variantValue),
    variants.map(({ price }) => String(price)),
    variants.map(({ salePrice }) => (salePrice === undefined || salePrice === null ? null : String(salePrice))),
    variants.map(({ itemAmount }) => itemAmount ?? null),
    variants.map(({ sortOrder }) => sortOrder ?? 0),
    now,
  );
}

/** Groups come in the order of their first value. */
function grouped(variants: FlatVariant[]): VariantGroupRecord[] {
  const groups = new Map<string, VariantGroupRecord>();
  for (const { optionTitle, ...value } of variants) {
    const group = groups.get(optionTitle) ?? { optionTitle, values: [] };
    groups.set(optionTitle, group);
    group.values.push(value);
  }
  return [...groups.values()];
}
