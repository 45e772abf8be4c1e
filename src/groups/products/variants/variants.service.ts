import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../../platform/database/statement.js';
import { newId } from '../../../platform/ids.js';
import {
  DEFAULT_TAKE,
  idBelow,
  NEWEST_FIRST,
  type Page,
  pageOf,
} from '../../../platform/schema/pages/page.js';
import { isUuid } from '../../../platform/schema/formats.js';
import { invalidInput, notFound } from '../../../platform/errors.js';
import type { Sentence } from '../../../platform/problems.js';
import { changeRecord, createRecord, deleteRecord } from '../../../platform/store/records.js';
import { clearedWarning, withWarnings } from '../../../platform/schema/warnings.js';
import { lastEdit } from '../../../platform/store/version.js';
import { isSameName, nameKey } from '../../../platform/text/name-key.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { documentsChange } from '../../../search/documents.js';
import { endHoldings, settingStock } from '../stock.service.js';
import { exactPrices, requireExactPrices, saleAfter, soldAt } from '../prices.js';
import type { Deleted } from '../../../platform/schema/pages/page.dto.js';
import {
  COUNT_VARIANTS_WITH,
  FIND_EQUAL_VARIANT,
  GET_VARIANT,
  LIST_VARIANTS,
  LOCK_NAMED_PRODUCT,
  LOCK_PRODUCT_OF_VARIANT,
  TOUCH_PRODUCT,
  productNamed,
} from '../product.statements.js';
import { optionsWarning, priceWarnings } from '../sale-warnings.js';
import { requireRoom } from './variant-bounds.js';
import { Variant } from './variant.entity.js';
import {
  type CreateVariantInput,
  type ListVariantsInput,
  type UpdateVariantInput,
  VariantRecord,
} from './variants.dto.js';

export const VARIANT = { entity: Variant, name: 'Variant', output: VariantRecord, editedAt: lastEdit };

type VariantRow = RowOf<typeof GET_VARIANT>;

/** A product's version is also that of its variants (docs/behaviour.md §5). */
const touchProduct = (ctx: StoreContext, productId: string) =>
  ctx.session.enqueue(TOUCH_PRODUCT, { productId, now: ctx.now() });

@Injectable()
export class VariantsService {
  async list(
    ctx: StoreContext,
    { productId, take = DEFAULT_TAKE, cursor }: ListVariantsInput,
  ): Promise<Page<VariantRow>> {
    const paging = { idBelow: idBelow(cursor), take: take + 1 };
    const rows = await ctx.session.read(LIST_VARIANTS, {
      ...productNamed(productId),
      ...paging,
      now: ctx.now(),
    });
    if (rows.length === 0) throw notFound('Product', productId);
    const variants = rows.filter((row): row is VariantRow => row.id !== null);
    return pageOf(variants, take, NEWEST_FIRST);
  }

  async create(ctx: StoreContext, { productId: named, ...input }: CreateVariantInput): Promise<VariantRow> {
    requireExactPrices(ctx, input);
    const [product] = await ctx.session.query(LOCK_NAMED_PRODUCT, productNamed(named));
    if (!product) throw notFound('Product', named);
    const variant = { id: newId(), productId: product.id, ...input };
    const counts = await requireRoomFor(ctx, variant);
    await requireDistinctVariant(ctx, variant);
    const { id, ...values } = variant;
    const { salePrice = null, itemAmount = null, sortOrder = 0 } = input;
    const given = { ...input, productId: product.id };
    await createRecord(
      ctx,
      VARIANT,
      given,
      { ...exactPrices({ ...values, salePrice }), itemAmount, sortOrder },
      id,
    );
    touchProduct(ctx, product.id);
    const ofOptions = counts.values === 1 ? optionsWarning(0, counts.options) : [];
    return withWarnings(await this.get(ctx, variant.id), [...priceWarnings(input), ...ofOptions]);
  }

  async update(ctx: StoreContext, { id, ...fields }: UpdateVariantInput): Promise<VariantRow> {
    requireExactPrices(ctx, fields);
    // The product is locked first, as by carts. Under its lock no other change can give a second variant the
    // same name.
    if (isUuid(id)) ctx.session.enqueue(LOCK_PRODUCT_OF_VARIANT, { variantId: id });
    let prices: Pick<Variant, 'price' | 'salePrice'> | undefined;
    let ofOptions: Sentence[] = [];
    const changed = await changeRecord(ctx, settingStock(VARIANT, fields), id, async (before) => {
      prices = soldAt(before, ctx.now());
      const named = { ...before, ...fields };
      if (fields.itemAmount === null && before.itemAmount !== null)
        await endHoldings(ctx, before.productId, before.id);
      if (!isSameName(named.optionTitle, before.optionTitle)) {
        const counts = await requireRoomFor(ctx, { ...named, id: before.id });
        if (counts.values === 1) ofOptions = optionsWarning(0, counts.options);
      }
      if (named.optionTitle !== before.optionTitle || named.variantValue !== before.variantValue)
        await requireDistinctVariant(ctx, { ...named, id: before.id });
      return exactPrices({ ...fields, ...saleAfter(ctx, before, fields) });
    });
    if (Object.keys(ctx.audit.changes!).length > 0) touchProduct(ctx, changed.productId);
    const variant = await this.get(ctx, changed.id);
    const setsPrice = fields.price !== undefined || fields.salePrice !== undefined;
    return withWarnings(variant, [
      ...(setsPrice ? priceWarnings(variant, prices) : []),
      ...ofOptions,
      ...clearedWarning(ctx.audit.changes!),
    ]);
  }

  /** Order lines of the variant stay as they are. */
  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    if (isUuid(id)) ctx.session.enqueue(LOCK_PRODUCT_OF_VARIANT, { variantId: id });
    return deleteRecord(ctx, VARIANT, id, (variant) => {
      touchProduct(ctx, variant.productId);
      documentsChange(ctx, 'product', [variant.productId]);
      return this.get(ctx, variant.id);
    });
  }

  private async get(ctx: StoreContext, id: string): Promise<VariantRow> {
    const [row] = await ctx.session.read(GET_VARIANT, { id, now: ctx.now() });
    return row;
  }
}

/**
 * The row of the product must be locked. The variant is not in this option yet; it may be in another one.
 * @returns what the product has with it
 */
async function requireRoomFor(
  ctx: StoreContext,
  variant: Pick<Variant, 'id' | 'productId' | 'optionTitle'>,
): Promise<RowOf<typeof COUNT_VARIANTS_WITH>> {
  const [counts] = await ctx.session.query(COUNT_VARIANTS_WITH, {
    ...variant,
    optionKey: nameKey(variant.optionTitle),
  });
  requireRoom(counts, { option: 'optionTitle', value: 'variantValue' });
  return counts;
}

/**
 * An order could not distinguish two equal values of one option (docs/behaviour.md §6.6). The row of the
 * product must be locked.
 * @throws OperationError invalid_input naming variantValue
 */
async function requireDistinctVariant(
  ctx: StoreContext,
  variant: Pick<Variant, 'id' | 'productId' | 'optionTitle' | 'variantValue'>,
): Promise<void> {
  const [equal] = await ctx.session.query(FIND_EQUAL_VARIANT, {
    ...variant,
    optionKey: nameKey(variant.optionTitle),
    valueKey: nameKey(variant.variantValue),
  });
  if (equal)
    throw invalidInput(
      `variantValue is already a value of the option ${JSON.stringify(variant.optionTitle)} of this product`,
    ).about('same_value', { path: 'variantValue' });
}
