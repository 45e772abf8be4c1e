import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { type Changes, LOCK_PRODUCT_STOCK, LOCK_VARIANT_STOCK } from './undone.statements.js';

/**
 * The changes with those of stock as if they had been made to the stock of now: orders move it too, so what
 * is undone is the amount by which it was changed. What is sold is locked. Where stock was not tracked, or is
 * not any more, there is no such amount, and the change stays as it was.
 * @param target the record, unless the changes name their records (`product:<id>.itemAmount`)
 */
export async function stockOfNow(ctx: StoreContext, target: string, changes: Changes): Promise<Changes> {
  const recordOf = (path: string) => (path.includes('.') ? path.split('.')[0] : target);
  const counted = Object.entries(changes).filter(
    ([path, pair]) =>
      path.split('.').at(-1) === 'itemAmount' && pair.every((amount) => typeof amount === 'number'),
  );
  if (counted.length === 0) return changes;
  const idsOf = (kind: string) =>
    counted.map(([path]) => recordOf(path).split(':')).flatMap(([of, id]) => (of === kind ? [id] : []));
  const [ids, variantIds] = [idsOf('product'), idsOf('variant')];
  const products = await ctx.session.run(LOCK_PRODUCT_STOCK, { ids, variantIds });
  const variants = await ctx.session.run(LOCK_VARIANT_STOCK, { variantIds });
  const amounts = new Map<string, number | null>([
    ...products.map(({ id, itemAmount }) => [`product:${id}`, itemAmount] as const),
    ...variants.map(({ id, itemAmount }) => [`variant:${id}`, itemAmount] as const),
  ]);
  const moved = counted.map(([path, pair]): [string, Changes[string]] => {
    const now = amounts.get(recordOf(path)) ?? null;
    if (now === null) return [path, pair];
    const [before, after] = pair as [number, number];
    const next = now + before - after;
    if (next < 0 || next > Number.MAX_SAFE_INTEGER)
      throw invalidInput(
        `${path} would become ${next}, from ${now}; it must stay from 0 to ${Number.MAX_SAFE_INTEGER}`,
      );
    return [path, [next, now]];
  });
  return { ...changes, ...Object.fromEntries(moved) };
}
