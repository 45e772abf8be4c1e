import type { RowOf } from '../../../platform/database/statement.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { RewardedOrder } from '../placing/order-rewards.service.js';
import { moveStock, type StockRow } from '../placing/stock-moves.js';
import type { Cancellation } from '../order/stored-pricing.js';
import { type LIST_STOCK_LINES, SET_STOCK_TAKEN } from './order-cancelling.statements.js';

export type StockLine = RowOf<typeof LIST_STOCK_LINES>;

/** The lines of an order that took stock, and the products and variants they took it from, locked. */
export interface HeldStock {
  lines: StockLine[];
  products: StockRow[];
  variants: StockRow[];
}

export interface CancelledMovement {
  line: StockLine;
  quantity: number;
}

/**
 * Returns the taken stock to the products and variants that still exist and track stock. A line of another
 * holds nothing any more, also if its stock is tracked again later (docs/behaviour.md §6.6).
 */
export function returnStock(ctx: StoreContext, order: RewardedOrder, held: HeldStock): CancelledMovement[] {
  const rows = byId(held);
  const moves = new Map<StockRow, number>();
  const returned: CancelledMovement[] = [];
  const ended: CancelledMovement[] = [];
  for (const line of held.lines) {
    const row = rows.get(line.sold_id);
    if (!row || row.item_amount === null) {
      ended.push({ line, quantity: 0 });
      continue;
    }
    moves.set(row, (moves.get(row) ?? 0) - line.stock_taken);
    returned.push({ line, quantity: line.stock_taken });
  }
  moveStock(ctx, moves, held);
  setTaken(ctx, order, ended);
  return returned;
}

/**
 * Takes the returned stock again, line by line, as far as it lasts. A line whose product no longer tracks
 * stock takes none and lacks none.
 */
export function retakeStock(
  ctx: StoreContext,
  order: RewardedOrder,
  held: HeldStock,
  { stock }: Cancellation,
): { taken: CancelledMovement[]; short: CancelledMovement[] } {
  const rows = byId(held);
  const lines = new Map(held.lines.map((line) => [line.position, line]));
  const moves = new Map<StockRow, number>();
  const taken: CancelledMovement[] = [];
  const short: CancelledMovement[] = [];
  const kept: CancelledMovement[] = [];
  for (const [position, quantity] of stock) {
    const line = lines.get(position);
    if (!line) continue;
    const row = rows.get(line.sold_id);
    const isTracked = row !== undefined && row.item_amount !== null;
    const got = isTracked ? Math.min(quantity, row.item_amount! - (moves.get(row) ?? 0)) : 0;
    if (got > 0) taken.push({ line, quantity: got });
    if (isTracked) moves.set(row, (moves.get(row) ?? 0) + got);
    if (got < quantity && row?.item_amount !== null) short.push({ line, quantity: quantity - got });
    if (got !== line.stock_taken) kept.push({ line, quantity: got });
  }
  moveStock(ctx, moves, held);
  setTaken(ctx, order, kept);
  return { taken, short };
}

/** Writes how much each of the lines has taken. */
function setTaken(ctx: StoreContext, { id }: RewardedOrder, taken: CancelledMovement[]): void {
  if (taken.length === 0) return;
  ctx.session.enqueue(SET_STOCK_TAKEN, {
    orderId: id,
    positions: taken.map(({ line }) => line.position),
    quantities: taken.map(({ quantity }) => quantity),
  });
}

const byId = ({ products, variants }: HeldStock) =>
  new Map([...products, ...variants].map((row) => [row.id, row]));
