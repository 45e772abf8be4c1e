import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { PaymentRecord } from './payments.dto.js';

const PAYABLE = `select ${columns(['id', 'status', 'currency', 'totalPrice', 'tipAmount', 'shippingAddress'], 'o')},
    coalesce(f.max_tip_amount, 0)::text as "maxTip", o.messenger_user_id as "customerId", c.is_banned as "isBanned"
  from orders o join customers c on c.store_id = o.store_id and c.id = o.messenger_user_id
  left join invoice_field_configs f on f.store_id = o.store_id
  where o.store_id = $1 and o.id = $2`;

export const FIND_PAYABLE = statement('find_payable', PAYABLE);
export const LOCK_PAYABLE = statement('lock_payable', `${PAYABLE} for update of o`);

/**
 * $2 id, $3 charge id, $4 the provider's charge id, $5 payer, $6 payload, $7 order, $8 currency, $9 amount,
 * $10 outcome, $11 now. Returns no row if the payment is already known.
 */
export const INSERT_PAYMENT = statement(
  'insert_payment',
  `insert into payments (store_id, id, charge_id, provider_charge_id, payer_id, invoice_payload, order_id, currency, amount, outcome, received_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (store_id, charge_id) do nothing returning 1`,
);

/**
 * $2 order, $3 its new shipping details, $4 the tip that was paid in addition to the total, in minor units.
 */
export const APPLY_PAYMENT = statement(
  'apply_payment',
  `update orders set shipping_address = $3, total_price = total_price + $4,
     tip_amount = case when $4::bigint = 0 then tip_amount else coalesce(tip_amount, 0) + $4 end
   where store_id = $1 and id = $2`,
);

/** $2 the id below which the page starts, $3 the number of rows, $4 and $5 filters or null. */
export const LIST_PAYMENTS = statement(
  'list_payments',
  `select ${columns(PaymentRecord, 'p', ['customerId'])}, p.payer_id as "customerId"
   from payments p where p.store_id = $1 and p.id < $2::uuid
     and ($4::text is null or p.outcome = $4) and ($5::bigint is null or p.order_id = $5)
   order by p.id desc limit $3`,
);
