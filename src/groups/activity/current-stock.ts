import { invalidInput } from '../../platform/errors.js';
import type { Holding, KeptValues, StoreContext } from '../../platform/store/store-context.js';
import { LOCK_ORDERS } from '../order-locks.statements.js';
import {
  type Changes,
  FIND_RESUMING,
  LOCK_PRODUCT_STOCK,
  LOCK_VARIANT_STOCK,
  RESUME_HOLDINGS,
} from './undone.statements.js';

interface StockChange extends Pick<KeptValues, 'holdings'> {
  changes: Changes;
  /** When it was made. */
  at: Date;
}

/**
 * The changes with those of stock as if they had been made to the stock of now: orders move it too, so what
 * is undone is the amount by which it was changed. What is sold is locked, and the orders that held it. Where
 * stock was not tracked there is no such amount, and the change stays as it was. Where it is not tracked any
 * more, the stock is what it was, and what orders no longer need of what they held.
 * @param target the record, unless the changes name their records (`product:<id>.itemAmount`)
 */
export async function stockOfNow(
  ctx: StoreContext,
  target: string,
  { changes, at, holdings = {} }: StockChange,
): Promise<Changes> {
  const recordOf = (path: string) => (path.includes('.') ? path.split('.')[0] : target);
  const idOf = (path: string) => recordOf(path).split(':')[1];
  const counted = Object.entries(changes).filter(
    ([path, [before]]) => path.split('.').at(-1) === 'itemAmount' && typeof before === 'number',
  );
  if (counted.length === 0) return changes;
  const idsOf = (kind: string) =>
    counted.flatMap(([path]) => (recordOf(path).startsWith(`${kind}:`) ? [idOf(path)] : []));
  const [ids, variantIds] = [idsOf('product'), idsOf('variant')];
  const orderIds = Object.values(holdings).flatMap((held) => held.map(([orderId]) => orderId));
  if (orderIds.length > 0) await ctx.session.query(LOCK_ORDERS, { orderIds });
  const products = await ctx.session.query(LOCK_PRODUCT_STOCK, { ids, variantIds });
  const variants = await ctx.session.query(LOCK_VARIANT_STOCK, { variantIds });
  const amounts = new Map([...products, ...variants].map(({ id, itemAmount }) => [id, itemAmount]));
  const moved: [string, Changes[string]][] = [];
  for (const [path, [before, after]] of counted as [string, [number, number | null]][]) {
    const now = amounts.get(idOf(path)) ?? null;
    if (after === null && now === null) {
      const released = await releasedSince(ctx, idOf(path), at, holdings[idOf(path)]);
      moved.push([path, [before + released, null]]);
    } else if (after !== null && now !== null) {
      const next = now + before - after;
      if (next < 0 || next > Number.MAX_SAFE_INTEGER)
        throw invalidInput(
          `${path} would become ${next}, from ${now}; it must stay from 0 to ${Number.MAX_SAFE_INTEGER}`,
        ).about('stock_beyond', { stock: Number(next) });
      moved.push([path, [next, now]]);
    }
  }
  return { ...changes, ...Object.fromEntries(moved) };
}

/**
 * The pieces that orders held when the stock was no longer tracked and do not need any more.
 * @throws OperationError invalid_input if orders need more of it since, and hold none of that
 */
async function releasedSince(
  ctx: StoreContext,
  soldId: string,
  since: Date,
  held: Holding[] = [],
): Promise<number> {
  const [{ pieces, isSoldSince }] = await ctx.session.query(FIND_RESUMING, {
    ...{ soldId, since, holdings: JSON.stringify(held) },
  });
  if (isSoldSince)
    throw invalidInput('it was sold while its stock was not tracked: count it, and set itemAmount').about(
      'sold_uncounted',
    );
  return held.reduce((sum, [, taken]) => sum + taken, 0) - pieces;
}

/** Orders hold again what they held before the stock was no longer tracked, as far as they still need it. */
export function resumeHoldings(ctx: StoreContext, holdings: KeptValues['holdings'] = {}): void {
  for (const [soldId, held] of Object.entries(holdings))
    ctx.session.enqueue(RESUME_HOLDINGS, { soldId, holdings: JSON.stringify(held) });
}
