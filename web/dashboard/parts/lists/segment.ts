import type { Input } from '../../api/client';
import { words } from '../../words/all';
import { numberKept, toMinor } from '../inputs/amounts';
import { momentsOf } from '../values/time-zone';

/** The filters of the address as the operation expects them, or why they cannot be read. */
type Segment = { filters: Input<'find_customers'>; unreadable: null } | { filters: null; unreadable: string };

/**
 * The customers that the address describes by their purchases. Amounts in the address are in major units,
 * days are the store's.
 */
export function segmentOf(search: Record<string, string>, decimals: number): Segment {
  const orders = numberKept(search.minOrders, 0);
  const spent = numberKept(search.minSpent, decimals);
  // Left out, it would choose everybody.
  const { customers, refusals } = words;
  if (orders === undefined)
    return { filters: null, unreadable: `${customers.minOrders}: ${refusals.unreadable(0)}` };
  if (spent === undefined)
    return { filters: null, unreadable: `${customers.minSpent}: ${refusals.unreadable(decimals)}` };
  const filters = {
    text: search.text,
    minOrders: orders ?? undefined,
    minSpent: spent === null ? undefined : toMinor(spent, decimals),
    boughtProductId: search.productId,
    boughtCategoryId: search.categoryId,
    lastOrderFrom: momentsOf(search.from).first,
    lastOrderTo: momentsOf(search.to).last,
  };
  return { filters, unreadable: null };
}

/** Whether the address describes customers by their purchases. */
export const isSegment = (search: Record<string, string>) => search.by === 'purchases';
