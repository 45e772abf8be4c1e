import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { PaymentRecord } from './payments.dto.js';

/** What a payment is checked against. Amounts are minor units; `maxTip` is 0 if the store accepts no tips. */
const COLUMNS = columns(['id', 'status', 'currency', 'totalPrice', 'tipAmount', 'shippingAddress'], 'o');
const PAYABLE = `select ${COLUMNS}, o.messenger_user_id as "customerId", c.is_banned as "isBanned",
    coalesce(f.max_tip_amount, 0)::text as "maxTip!"
  from orders o join customers c on c.store_id = o.store_id and c.id = o.messenger_user_id
  left join invoice_field_configs f on f.store_id = o.store_id
  where o.store_id = $store and o.id = $orderId?`;
const row = as<{ shippingAddress: Record<string, unknown> | null }>();

export const FIND_PAYABLE = statement('find_payable', PAYABLE, { row });
export const LOCK_PAYABLE = statement('lock_payable', `${PAYABLE} for update of o`, { row });

/** Returns no row if the payment is already known. */
export const INSERT_PAYMENT = statement(
  'insert_payment',
  `insert into payments (store_id, id, charge_id, provider_charge_id, payer_id, invoice_payload, order_id,
     currency, amount, outcome, received_at, order_info)
   values ($store, $id, $chargeId, $providerChargeId?, $payerId, $invoicePayload, $orderId?, $currency,
     $amount, $outcome, $receivedAt, $orderInfo?)
   on conflict (store_id, charge_id) do nothing returning 1`,
);

/**
 * The tip is what was paid in addition to the total, in minor units. Of several providers of one name a live
 * one is paid before one in test mode.
 */
export const APPLY_PAYMENT = statement(
  'apply_payment',
  `update orders o set shipping_address = $shippingAddress?, total_price = total_price + $tip,
     tip_amount = case when $tip::bigint = 0 then tip_amount else coalesce(tip_amount, 0) + $tip end,
     paid = paid + $amount, pre_checkout_at = null,
     is_test = coalesce((select bool_and(p.is_test_mode) from payment_providers p
       where p.store_id = $store and p.provider_name = o.payment_method and p.is_active
         and o.currency = any(p.supported_currencies)
         and (o.currency = 'XTR' or p.sealed_token is not null)), false)
   where o.store_id = $store and o.id = $orderId`,
);

export const FIND_PAYMENT = statement(
  'find_payment',
  `select p.order_id as "orderId" from payments p where p.store_id = $store and p.charge_id = $chargeId`,
);

/** Returns no row if the messenger reported it before. */
export const REFUND_PAYMENT = statement(
  'refund_payment',
  `update payments p set refunded_at = $now
   where p.store_id = $store and p.charge_id = $chargeId and p.refunded_at is null
   returning p.order_id as "orderId", p.amount, p.currency, p.outcome`,
);

export const LIST_PAYMENTS = statement(
  'list_payments',
  `select ${columns(PaymentRecord, 'p', ['customerId'])}, p.payer_id as "customerId"
   from payments p where p.store_id = $store and p.id < $idBelow::uuid
     and ($outcome?::text is null or p.outcome = $outcome)
     and ($orderId?::bigint is null or p.order_id = $orderId)
   order by p.id desc limit $take`,
  { row: as<{ orderInfo: Record<string, unknown> | null }>() },
);

export const EXPECT_PAYMENT = statement(
  'expect_payment',
  `update orders set pre_checkout_at = $now where store_id = $store and id = $orderId`,
);
