import type { RouteOutput } from '../../api/client';

export type View = RouteOutput<'GET stores/{storeId}/views'>['items'][number];

/** The pages that have views, each with the filters of its address. */
const FILTERS = {
  orders: ['text', 'customerId', 'status', 'from', 'to', 'sort'],
  customers: ['text', 'by', 'minOrders', 'minSpent', 'productId', 'categoryId', 'from', 'to'],
};
export type Viewed = keyof typeof FILTERS;

/** The filters of an address as the service keeps them: in the order of their names. */
export function queryOf(page: Viewed, search: Record<string, string>): string {
  const given = new URLSearchParams(
    Object.entries(search).filter(([name, value]) => FILTERS[page].includes(name) && value !== ''),
  );
  given.sort();
  return given.toString();
}

/** The address of a view. It names the view, which stays open while its filters are changed. */
export const searchOf = ({ id, query }: View) => ({
  ...Object.fromEntries(new URLSearchParams(query)),
  view: id,
});
