import { Injectable } from '@nestjs/common';
import { isUuid } from '../../platform/schema/formats.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import type { Holding, StoreContext } from '../../platform/store/store-context.js';
import {
  CHANGE_PRODUCT_STOCK,
  CHANGE_VARIANT_STOCK,
  END_HOLDINGS,
  LOCK_HOLDINGS,
  LOCK_NAMED_PRODUCT,
  LOCK_VARIANT,
  productNamed,
} from './product.statements.js';
import { ownValuesWarning } from './sale-warnings.js';
import type { StockRecord, UpdateStockInput } from './stock.dto.js';

/** For a call that may set the stock: what orders moved since counts for `If-Match`. */
export function settingStock<Kind extends { editedAt?: unknown }>(
  kind: Kind,
  { itemAmount }: { itemAmount?: number | null },
): Kind {
  return itemAmount === undefined ? kind : { ...kind, editedAt: undefined };
}

/**
 * Ends what orders hold of a product, or of a variant, whose stock is no longer tracked. Its row must be
 * locked. They hold it again if the call is undone.
 * @param variantId null for the product's own stock
 */
export async function endHoldings(
  ctx: StoreContext,
  productId: string,
  variantId: string | null,
): Promise<void> {
  const lines = await ctx.session.query(LOCK_HOLDINGS, { productId, variantId });
  if (lines.length === 0) return;
  ctx.session.enqueue(END_HOLDINGS, { productId, variantId });
  const { kept } = ctx.audit;
  const byOrder = new Map<number, number>();
  for (const { orderId, pieces } of lines) byOrder.set(orderId, (byOrder.get(orderId) ?? 0) + pieces);
  const held: Holding[] = [...byOrder];
  ctx.audit.kept = { ...kept, holdings: { ...kept?.holdings, [variantId ?? productId]: held } };
}

@Injectable()
export class StockService {
  /**
   * One statement reads and writes the amount under the lock of the row, so that concurrent deltas all count
   * (docs/behaviour.md §6.6).
   */
  async update(
    ctx: StoreContext,
    { productId, variantId, delta, absolute }: UpdateStockInput,
  ): Promise<StockRecord> {
    const what =
      variantId === undefined ? `Product ${productId}` : `Variant ${variantId} of product ${productId}`;
    if (variantId !== undefined && !isUuid(variantId)) throw notFound(what);
    const amount = { amount: delta ?? absolute!, isRelative: delta !== undefined };
    const change = { ...productNamed(productId), ...amount, now: ctx.now() };
    // The product first, as by carts.
    ctx.session.enqueue(LOCK_NAMED_PRODUCT, productNamed(productId));
    if (variantId !== undefined) ctx.session.enqueue(LOCK_VARIANT, { variantId });
    const [row] =
      variantId === undefined
        ? await ctx.session.query(CHANGE_PRODUCT_STOCK, change)
        : await ctx.session.query(CHANGE_VARIANT_STOCK, { ...change, variantId });
    if (!row) throw notFound(what);
    ctx.checkUnchanged(row.updatedAt);
    const { id, previous, next, isChanged } = row;
    if (!isChanged) {
      throw invalidInput(
        `delta would make the stock ${next}, from ${previous ?? 0}; ` +
          `it must stay from 0 to ${Number.MAX_SAFE_INTEGER}`,
      ).about('stock_beyond', { path: 'delta', stock: Number(next) });
    }
    ctx.audit.target = `${variantId === undefined ? 'product' : 'variant'}:${id}`;
    ctx.audit.changes = { itemAmount: [previous, Number(next)] };
    const changed = { productId, variantId, itemAmount: Number(next), previousItemAmount: previous };
    return withWarnings(changed, ownValuesWarning(['itemAmount'], row.variants));
  }
}
