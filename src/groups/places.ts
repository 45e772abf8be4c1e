import type { StoreContext } from '../platform/store/store-context.js';
import { COUNT_ON_SALE_WITHIN, COUNT_SAYING_STILL } from './places.statements.js';

/** How many products shoppers see in a category and below it. */
export async function onSaleWithin(ctx: StoreContext, categoryId: string): Promise<number> {
  const [{ products }] = await ctx.session.query(COUNT_ON_SALE_WITHIN, { categoryId });
  return products;
}

/** How many products went off sale or came back by a change. */
export function onSaleWarning(before: number, after: number): string[] {
  if (after < before) return [`products that go off sale by this: ${before - after}`];
  return after > before ? [`products that come back on sale by this: ${after - before}`] : [];
}

/** Warns of the texts of products that a new name of their brand or category leaves behind. */
export async function renameWarning(
  ctx: StoreContext,
  kind: keyof typeof COUNT_SAYING_STILL,
  id: string,
  [before, after]: [unknown, unknown] = ['', ''],
): Promise<string[]> {
  if (before === after) return [];
  const [{ products }] = await ctx.session.query(COUNT_SAYING_STILL[kind], { id, name: String(before) });
  if (products === 0) return [];
  return [
    `products whose ${kind} text still says "${String(before)}": ${products}; shoppers see ` +
      `"${String(after)}", and update_products changes the text`,
  ];
}
