/** The pages that have saved views, each with the filters of its address. The pages themselves use it too. */
export const VIEWED = {
  orders: ['text', 'customerId', 'status', 'payment', 'delivery', 'from', 'to', 'sort'],
  customers: ['text', 'by', 'minOrders', 'minSpent', 'productId', 'categoryId', 'from', 'to'],
} as const satisfies Record<string, readonly string[]>;
export type Viewed = keyof typeof VIEWED;
