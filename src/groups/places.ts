import { type Sentence, warning } from '../platform/problems.js';
import type { StoreContext } from '../platform/store/store-context.js';
import { COUNT_ON_SALE_WITHIN, COUNT_SAYING_STILL } from './places.statements.js';

/** How many products shoppers see in a category and below it. */
export async function onSaleWithin(ctx: StoreContext, categoryId: string): Promise<number> {
  const [{ products }] = await ctx.session.query(COUNT_ON_SALE_WITHIN, { categoryId });
  return products;
}

/** How many products went off sale or came back by a change. */
export function onSaleWarning(before: number, after: number): Sentence[] {
  const count = Math.abs(after - before);
  if (after < before) return [warning(`products that go off sale by this: ${count}`, 'off_sale', { count })];
  return after > before
    ? [warning(`products that come back on sale by this: ${count}`, 'on_sale', { count })]
    : [];
}

/** Warns of the texts of products that a new name of their brand or category leaves behind. */
export async function renameWarning(
  ctx: StoreContext,
  kind: keyof typeof COUNT_SAYING_STILL,
  id: string,
  [before, after]: [unknown, unknown] = ['', ''],
): Promise<Sentence[]> {
  if (before === after) return [];
  const [{ products }] = await ctx.session.query(COUNT_SAYING_STILL[kind], { id, name: String(before) });
  if (products === 0) return [];
  const [text, shown] = [String(before), String(after)];
  return [
    warning(
      `products whose ${kind} text still says "${text}": ${products}; shoppers see ` +
        `"${shown}", and update_products changes the text`,
      'still_says',
      { text, shown },
    ),
  ];
}
