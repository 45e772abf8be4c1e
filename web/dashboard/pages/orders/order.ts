import type { Output } from '../../api/client';
import { words } from '../../words';

export type Order = Output<'get_order'>;
export type Pricing = Output<'get_order_pricing'>;

/** The steps from the lines to the total; none if the lines are the total. */
export function stepsOf(
  pricing?: Pricing,
  { steps }: Pick<typeof words.orders, 'steps'> = words.orders,
): [label: string, amount: number][] {
  if (!pricing) return [];
  const { lines, adjustments, promocode, bonus, tip } = pricing;
  const goods = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const changes: [string, number][] = [
    ...adjustments.map(({ label, amount }): [string, number] => [label ?? steps.other, amount]),
    [promocode ? `${steps.promocodeDiscount} ${promocode.code}` : '', -(promocode?.amount ?? 0)],
    [steps.bonus, -bonus],
    [steps.tip, tip],
  ];
  const taken = changes.filter(([, amount]) => amount !== 0);
  return taken.length === 0 ? [] : [[steps.items, goods], ...taken];
}

/** Each order is read by its own call. */
export const MOST_TO_PRINT = 50;

/** The variant and size of a line, in addition to its product. */
export const variantOf = ({ variantOptionTitle, variantValue, size }: Order['items'][number]) =>
  [variantValue && (variantOptionTitle ? `${variantOptionTitle}: ${variantValue}` : variantValue), size]
    .filter(Boolean)
    .join(', ');
