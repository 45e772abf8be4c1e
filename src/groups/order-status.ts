/** The possible statuses of an order. They are defined here because several groups use them. */
export const ORDER_STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The statuses in which an order counts as revenue and earns cashback; `earns()` in SQL. */
export const EARNING_STATUSES: readonly OrderStatus[] = ['PROCESSING', 'SHIPPED', 'DELIVERED'];
