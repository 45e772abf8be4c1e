import { columns } from '../../../../platform/database/columns.js';
import { statement } from '../../../../platform/database/statement.js';
import { OrderPayment } from './order-payment.dto.js';

/** What `refundedOf` selects. */
export const REFUNDED = ['refunded', 'owedBack'] as const;

/** SQL of what was refunded of an order, and of what has to go back (docs/behaviour.md §6.13). */
export const refundedOf = (order: string) => `(
    select least(coalesce(sum(r.amount), 0), ${Number.MAX_SAFE_INTEGER})::float8 from order_refunds r
    where r.store_id = $store and r.order_id = ${order}.id) as "refunded!",
  owed_back(${order}.status, ${order}.paid, ${order}.returned)::float8 as "owedBack!"`;

export const GET_ORDER_PAYMENT = statement(
  'get_order_payment',
  `select ${columns(OrderPayment, 'o', REFUNDED)}, ${refundedOf('o')}
   from orders o where o.store_id = $store and o.id = $orderId`,
);

/** The newest orders that money has to go back for. */
export const LIST_OWED_BACK = statement(
  'list_owed_back',
  `select o.id::float8 as "id!", owed_back(o.status, o.paid, o.returned)::float8 as "owedBack!"
   from orders o where o.store_id = $store and owed_back(o.status, o.paid, o.returned) > 0
   order by o.id desc limit $take`,
);
