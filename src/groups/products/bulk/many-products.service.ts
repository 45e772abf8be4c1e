import { Injectable } from '@nestjs/common';
import { invalidInput, notFound } from '../../../platform/errors.js';
import { below, type Sentence } from '../../../platform/problems.js';
import { recordset } from '../../../platform/database/columns.js';
import { newId } from '../../../platform/ids.js';
import { checkedItems, counted, eachItem, validItems } from '../../../platform/schema/bulk-result.js';
import { problemList, problemsOf } from '../../../platform/schema/explain.js';
import { InvalidItem } from '../../../platform/schema/field-spec.js';
import { isUuid } from '../../../platform/schema/formats.js';
import { accepts } from '../../../platform/schema/compiled-checks.js';
import { withWarnings } from '../../../platform/schema/warnings.js';
import { isSameName, nameKey } from '../../../platform/text/name-key.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { EventLoopYield } from '../../../platform/timers.js';
import { documentsChange } from '../../../search/documents.js';
import { PRODUCT_ID_USED, requireCreatable, requireLinks } from '../product-checks.js';
import { Places } from '../places.js';
import { type NamedVariant, newPriceWarnings, optionsWarning, ownValuesWarning } from '../sale-warnings.js';
import {
  type CodedChange,
  CodedProduct,
  type CreatedProductItem,
  type CreateProductsInput,
  type CreateProductsResult,
  type GivenProduct,
  type ProductItem,
  type UpdateProductsInput,
  type UpdateProductsResult,
} from './many-products.dto.js';
import {
  INSERT_PRODUCTS,
  LOCK_LINKED,
  LOCK_PRODUCTS_WITH_IDS,
  LOCK_VARIANTS_OF,
} from './many-products.statements.js';
import { requireExactPrices } from '../prices.js';
import {
  addVariants,
  changeWarnings,
  type Draft,
  type Fields,
  nameOf,
  newVariant,
  optionsOf,
  type ProductRow,
  type VariantRow,
  withCodes,
  withFields,
  withVariants,
  writeDrafts,
} from './product-drafts.js';

/** A product of the call, as it was before and as the items so far have left it. */
interface Entry {
  before: Draft;
  after: Draft;
  /** The position of the item that created it; null if it existed. */
  createdBy: number | null;
}

/**
 * Creates and changes many products in one transaction of few statements. A refused item leaves the others
 * unaffected (docs/behaviour.md §13.8). Items are processed in their order.
 */
@Injectable()
export class ManyProducts {
  async create(
    ctx: StoreContext,
    { items: given, upsert = false }: CreateProductsInput,
  ): Promise<CreateProductsResult> {
    const items = await this.checked(ctx, given, (item, path) => {
      if (!upsert) requireWhole(item, path);
      requireCreatable(ctx, item, path);
    });
    const entries = await this.inserted(ctx, items);
    if (upsert) await this.addExisting(ctx, items, entries);
    const places = await placesOf(ctx, items, entries.values());
    const results = await eachItem<GivenProduct, CreatedProductItem>(items, (item, index) => {
      const { productId, variants, ...fields } = item;
      const found = entries.get(nameKey(productId));
      // Whether it is there when it is this item's turn.
      const entry = found && (found.createdBy ?? -1) <= index ? found : undefined;
      if (!entry) requireWhole(item, `items[${index}].`);
      if (entry?.createdBy === index)
        return withWarnings(
          { id: entry.before.product.id, productId, created: true },
          creationWarnings(item, entry, places),
        );
      if (!upsert || !entry) throw invalidInput(below(`items[${index}].`, PRODUCT_ID_USED));
      const path = `items[${index}].`;
      const ofVariants = variants && ((draft: Draft) => withVariants(ctx, draft, variants, path));
      return { ...changed(ctx, entry, fields, places, ofVariants), created: false };
    });
    const changes = await writeDrafts(ctx, [...entries.values()]);
    ctx.audit.changes = { ...created(items, entries), ...changes };
    return counted(results);
  }

  async update(ctx: StoreContext, { items: given }: UpdateProductsInput): Promise<UpdateProductsResult> {
    const items = await this.checked(ctx, given, (item, path) => {
      requireExactPrices(ctx, item, path);
      requireLinks(item, path);
    });
    const names = validItems(items).map(({ id }) => id);
    const rows = await ctx.session.query(LOCK_PRODUCTS_WITH_IDS, {
      ids: names.filter(isUuid),
      externalKeys: names.map(nameKey),
      now: ctx.now(),
    });
    const isCoded = validItems(items).some(({ variants }) => variants !== undefined);
    const productIds = isCoded ? rows.map(({ id }) => id) : [];
    const variants = isCoded ? await ctx.session.query(LOCK_VARIANTS_OF, { productIds, now: ctx.now() }) : [];
    const entries = rows.map(({ named, ...product }): Entry & { named: typeof named } => {
      const draft = { product, variants: variants.filter(({ productId }) => productId === product.id) };
      return { before: draft, after: draft, createdBy: null, named };
    });
    const places = await placesOf(ctx, items, entries);
    const results = await eachItem<CodedChange, ProductItem>(
      items,
      ({ id, variants: codes, ...fields }, index) => {
        const entry =
          entries.find(({ before }) => before.product.id === id.toLowerCase()) ??
          entries.find(({ before }) => isSameName(before.product.productId, id));
        if (!entry) throw notFound(`items[${index}].id: product`, id);
        const ofVariants = codes && ((draft: Draft) => withCodes(draft, codes, `items[${index}].`));
        return changed(ctx, entry, fields, places, ofVariants, entry.named);
      },
    );
    ctx.audit.changes = await writeDrafts(ctx, entries);
    // The codes of a variant are put back by the id of its product.
    const ofVariants = entries.flatMap(({ before, after }) =>
      after.variants.filter((variant) => !before.variants.includes(variant)),
    );
    if (ofVariants.length > 0)
      ctx.audit.kept = {
        ...ctx.audit.kept,
        before: Object.fromEntries(ofVariants.map((row) => [row.id, row.productId])),
      };
    return counted(results);
  }

  /** The items with those that are refused before anything is written as InvalidItem. */
  private async checked<Item extends { brandId?: string | null; categoryId?: string | null }>(
    ctx: StoreContext,
    items: readonly (Item | InvalidItem)[],
    check: (item: Item, path: string) => void,
  ): Promise<(Item | InvalidItem)[]> {
    const named = validItems(items).flatMap(({ brandId, categoryId }) => [brandId, categoryId]);
    const ids = [...new Set(named.filter((id): id is string => typeof id === 'string' && isUuid(id)))];
    const rows = ids.length === 0 ? [] : await ctx.session.query(LOCK_LINKED, { ids });
    const linked = new Set(rows.map(({ id }) => id));
    return checkedItems(items, (item, index) => {
      check(item, `items[${index}].`);
      requireLinks(item, `items[${index}].`, (id) => linked.has(id));
    });
  }

  /** Inserts the products that the store does not have yet. The first item of a product creates it. */
  private async inserted(
    ctx: StoreContext,
    items: readonly (GivenProduct | InvalidItem)[],
  ): Promise<Map<string, Entry>> {
    const first = new Map<string, { index: number; draft: Draft }>();
    const pace = new EventLoopYield();
    for (const [index, item] of items.entries()) {
      await pace.rest();
      if (item instanceof InvalidItem || !isWhole(item)) continue;
      const key = nameKey(item.productId);
      if (!first.has(key)) first.set(key, { index, draft: newDraft(ctx, item) });
    }
    const entries = new Map<string, Entry>();
    if (first.size === 0) return entries;
    const now = ctx.now();
    const rows = recordset([...first.values()].map(({ draft }) => draft.product));
    const made = new Set((await ctx.session.query(INSERT_PRODUCTS, { rows, now })).map(({ id }) => id));
    for (const [key, { index, draft }] of first) {
      if (made.has(draft.product.id)) entries.set(key, { before: draft, after: draft, createdBy: index });
    }
    documentsChange(ctx, 'product', [...made]);
    await addVariants(
      ctx,
      [...entries.values()].flatMap(({ before }) => before.variants),
      now,
    );
    return entries;
  }

  /** Reads and locks the products that were there, with their variants. */
  private async addExisting(
    ctx: StoreContext,
    items: readonly (GivenProduct | InvalidItem)[],
    entries: Map<string, Entry>,
  ): Promise<void> {
    const keys = new Set(validItems(items).map(({ productId }) => nameKey(productId)));
    const externalKeys = [...keys].filter((key) => !entries.has(key));
    if (externalKeys.length === 0) return;
    const now = ctx.now();
    const products = await ctx.session.query(LOCK_PRODUCTS_WITH_IDS, { ids: [], externalKeys, now });
    const productIds = products.map(({ id }) => id);
    const variants = await ctx.session.query(LOCK_VARIANTS_OF, { productIds, now });
    const byProduct = new Map<string, VariantRow[]>(products.map(({ id }) => [id, []]));
    for (const variant of variants) byProduct.get(variant.productId)!.push(variant);
    for (const { named: _, ...product } of products) {
      const draft = { product, variants: byProduct.get(product.id)! };
      entries.set(nameKey(product.productId), { before: draft, after: draft, createdBy: null });
    }
  }
}

const isWhole = (item: GivenProduct): item is CodedProduct =>
  accepts(CodedProduct, item as object as Record<string, unknown>);

/** @throws OperationError invalid_input that names what a new product lacks */
function requireWhole(item: GivenProduct, path: string): asserts item is CodedProduct {
  if (isWhole(item)) return;
  const problems = problemsOf(CodedProduct, item as object as Record<string, unknown>, path.slice(0, -1));
  throw invalidInput(problemList(problems)!);
}

type Linked = Pick<Fields, 'brand' | 'brandId' | 'category' | 'categoryId'>;

/** Where the products of a call can be, with what the items give and without it. */
const placesOf = (ctx: StoreContext, items: readonly (Linked | InvalidItem)[], entries: Iterable<Entry>) =>
  Places.of(ctx, [...validItems(items), ...[...entries].map(({ before }) => before.product)]);

const namesOf = ({ variants }: Draft): NamedVariant[] =>
  variants.map((variant) => ({ id: variant.id, name: nameOf(variant) }));

function creationWarnings(item: GivenProduct, { before }: Entry, places: Places): Sentence[] {
  return [
    ...newPriceWarnings(item),
    ...optionsWarning(0, optionsOf(before)),
    ...(item.itemAmount === undefined ? [] : ownValuesWarning(['itemAmount'], namesOf(before))),
    ...places.warnings(item, before.product),
  ];
}

/** Changes a product of the call by one item. @param named its variants, if they are not in the draft */
function changed(
  ctx: StoreContext,
  entry: Entry,
  fields: Fields,
  places: Places,
  variantsOf: (draft: Draft) => VariantRow[] = ({ variants }) => [...variants],
  named?: NamedVariant[],
) {
  const before = entry.after;
  const after = { product: withFields(ctx, before.product, fields), variants: variantsOf(before) };
  entry.after = after;
  const { id, productId } = after.product;
  return withWarnings({ id, productId }, [
    ...changeWarnings(before, after, fields, named ?? namesOf(after)),
    ...places.warnings(fields, after.product),
  ]);
}

/** The created products for the audit row. */
function created(items: readonly (GivenProduct | InvalidItem)[], entries: Map<string, Entry>) {
  return Object.fromEntries(
    [...entries.values()].flatMap(({ before, createdBy }) =>
      createdBy === null
        ? []
        : [[`product:${before.product.id}`, [null, items[createdBy]] as [unknown, unknown]]],
    ),
  );
}

const NO_VALUES = {
  ...{
    salePrice: null,
    saleUntil: null,
    itemAmount: null,
    isHidden: false,
    brand: null,
    category: null,
    subCategory: null,
  },
  ...{ tags: null, shippingTime: null, season: null, brandId: null, categoryId: null },
  ...{ sku: null, barcode: null },
};

function newDraft(
  ctx: StoreContext,
  { productId, title, description, images, variants = [], ...input }: CodedProduct,
): Draft {
  const id = newId();
  const empty: ProductRow = { ...NO_VALUES, id, productId, title, description, images, price: '0' };
  return {
    product: withFields(ctx, empty, input),
    variants: variants.flatMap(({ optionTitle, values }) =>
      values.map((value) => newVariant(id, { optionTitle, ...value })),
    ),
  };
}
