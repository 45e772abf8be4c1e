import type { StoreContext } from '../../../platform/store/store-context.js';
import { TAKE_PRODUCT_STOCK, TAKE_VARIANT_STOCK } from '../order/order.statements.js';

/** A product or variant whose row is locked by the transaction. */
export interface StockRow extends Record<string, unknown> {
  id: string;
  /** Null if stock is not tracked. */
  item_amount: number | null;
}

/**
 * Takes pieces from the stock of locked products and variants, or returns them if the number is negative.
 * Untracked stock is not changed.
 */
export function moveStock(
  ctx: StoreContext,
  taken: ReadonlyMap<StockRow, number>,
  { products, variants }: { products: readonly StockRow[]; variants: readonly StockRow[] },
): void {
  for (const [statement, rows] of [
    [TAKE_PRODUCT_STOCK, products],
    [TAKE_VARIANT_STOCK, variants],
  ] as const) {
    const moved = rows.filter((row) => row.item_amount !== null && (taken.get(row) ?? 0) !== 0);
    if (moved.length === 0) continue;
    ctx.session.enqueue(statement, {
      ids: moved.map(({ id }) => id),
      quantities: moved.map((row) => taken.get(row)),
      now: ctx.now(),
    });
  }
}
