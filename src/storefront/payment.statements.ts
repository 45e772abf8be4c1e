import { statement } from '../platform/database/statement.js';

export interface PayableOrder extends Record<string, unknown> {
  id: string;
  status: string;
  currency: string;
  /** Minor units. */
  totalPrice: string;
  customerId: string;
  isBanned: boolean;
}

const PAYABLE = `select o.id::text as id, o.status, o.currency, o.total_price::text as "totalPrice",
    o.messenger_user_id::text as "customerId", c.is_banned as "isBanned"
  from orders o join customers c on c.store_id = o.store_id and c.id = o.messenger_user_id
  where o.store_id = $1 and o.id = $2`;

export const FIND_PAYABLE = statement('find_payable', PAYABLE);
export const LOCK_PAYABLE = statement('lock_payable', `${PAYABLE} for update of o`);

/** $2 charge id, $3 the provider's, $4 payer, $5 payload, $6 order, $7 currency, $8 amount, $9 outcome, $10 now. No row: it is known. */
export const INSERT_PAYMENT = statement(
  'insert_payment',
  `insert into payments (store_id, charge_id, provider_charge_id, payer_id, invoice_payload, order_id, currency, amount, outcome, received_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (store_id, charge_id) do nothing returning 1`,
);

/** $2 order, $3 what the payment form collected. What the shopper gave with the order stays. */
export const KEEP_SHIPPING_DETAILS = statement(
  'keep_shipping_details',
  `update orders set shipping_address = $3 where store_id = $1 and id = $2 and shipping_address is null`,
);
