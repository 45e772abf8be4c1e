import { Injectable } from '@nestjs/common';
import { DEFAULT_TAKE, idBelow, NEWEST_FIRST, type Page, pageOf } from '../../platform/schema/page.js';
import { isUuid } from '../../platform/schema/formats.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import { changeRecord } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { exactPrices, requireExactPrices } from './prices.js';
import { FIND_EQUAL_VARIANT, GET_VARIANT, LIST_VARIANTS, LOCK_PRODUCT_OF_VARIANT, productNamed } from './product.statements.js';
import { Variant } from './variant.entity.js';
import { type ListVariantsInput, type UpdateVariantInput, VariantRecord } from './variants.dto.js';

const VARIANT = { entity: Variant, name: 'Variant', output: VariantRecord };

type VariantRow = VariantRecord & Record<string, unknown>;

@Injectable()
export class VariantsService {
  async list(ctx: StoreContext, { productId, take = DEFAULT_TAKE, cursor }: ListVariantsInput): Promise<Page<VariantRecord>> {
    const rows = await ctx.session.read<VariantRow>(LIST_VARIANTS, ...productNamed(productId), idBelow(cursor), take + 1);
    if (rows.length === 0) throw notFound('Product', productId);
    const variants = rows.filter(({ id }) => id !== null);
    return pageOf(variants, take, NEWEST_FIRST);
  }

  async update(ctx: StoreContext, { id, ...fields }: UpdateVariantInput): Promise<VariantRecord> {
    requireExactPrices(ctx, fields);
    const renames = fields.optionTitle !== undefined || fields.variantValue !== undefined;
    // The product first, as carts do; under its lock no other change gives a second variant the same name.
    if (renames && isUuid(id)) ctx.session.send(LOCK_PRODUCT_OF_VARIANT, id);
    const variant = await changeRecord(ctx, VARIANT, id, async (before) => {
      const named = { ...before, ...fields };
      if (named.optionTitle !== before.optionTitle || named.variantValue !== before.variantValue)
        await requireDistinctVariant(ctx, { ...named, id: before.id });
      return exactPrices(fields);
    });
    const [row] = await ctx.session.read<VariantRow>(GET_VARIANT, variant.id);
    return row;
  }
}

/**
 * An order could not tell two equal values of one option apart (docs/behaviour.md §6.6). The product's row must be locked.
 * @throws OperationError invalid_input naming variantValue
 */
export async function requireDistinctVariant(
  ctx: StoreContext,
  { id, productId, optionTitle, variantValue }: Pick<Variant, 'id' | 'productId' | 'optionTitle' | 'variantValue'>,
): Promise<void> {
  const [equal] = await ctx.session.run(FIND_EQUAL_VARIANT, productId, id, optionTitle, variantValue);
  if (equal) throw invalidInput(`variantValue is already a value of the option ${JSON.stringify(optionTitle)} of this product`);
}
