import type { Input } from '../../api/client';
import { toMinor } from '../inputs/amounts';
import { momentsOf } from '../values/time-zone';

const numberOf = (text: string | undefined) =>
  text && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;

/**
 * The customers that the address describes by their purchases, as the operation expects it. Amounts in the
 * address are in major units, days are the store's.
 */
export function segmentOf(search: Record<string, string>, decimals: number): Input<'find_customers'> {
  const spent = numberOf(search.minSpent);
  const orders = numberOf(search.minOrders);
  return {
    text: search.text,
    minOrders: orders === undefined ? undefined : Math.ceil(orders),
    minSpent: spent === undefined ? undefined : toMinor(spent, decimals),
    boughtProductId: search.productId,
    boughtCategoryId: search.categoryId,
    lastOrderFrom: momentsOf(search.from).first,
    lastOrderTo: momentsOf(search.to).last,
  };
}

/** Whether the address describes customers by their purchases. */
export const isSegment = (search: Record<string, string>) => search.by === 'purchases';
