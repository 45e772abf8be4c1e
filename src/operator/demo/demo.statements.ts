import { statement } from '../../platform/database/statement.js';
import { ORDER_JSON } from '../../groups/orders/order.record.js';

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Writes many rows of a table at once. $2 is a JSON array of objects with the properties in `columns`, which
 * gives their types.
 */
function insertRows(table: string, columns: Record<string, string>, rest = '') {
  const names = Object.keys(columns);
  return statement(
    `demo_${table}`,
    `insert into ${table} (store_id, ${names.map(snake).join(', ')})
     select $1::uuid, ${names.map((name) => `r."${name}"`).join(', ')}
     from json_to_recordset($2::json) as r (${names.map((name) => `"${name}" ${columns[name]}`).join(', ')}) ${rest}`,
  );
}

export const CUSTOMERS = insertRows('customers', {
  id: 'bigint',
  username: 'text',
  firstName: 'text',
  lastName: 'text',
  isBotBlocked: 'boolean',
  isBanned: 'boolean',
  bonusBalance: 'numeric',
  referrerId: 'bigint',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  lastSeenAt: 'timestamptz',
  searchText: 'text',
});

/** Orders are inserted by time, so that their numbers increase with it. */
export const ORDERS = insertRows(
  'orders',
  {
    status: 'text',
    paymentMethod: 'text',
    totalPrice: 'bigint',
    tipAmount: 'bigint',
    currency: 'text',
    messengerUserId: 'bigint',
    shippingAddress: 'json',
    checkoutData: 'json',
    trackingUrl: 'text',
    carrier: 'text',
    trackingNumber: 'text',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
    entered: 'text[]',
    pricing: 'json',
    cancellation: 'json',
  },
  'order by r."createdAt" returning id',
);

export const LINES = insertRows('order_items', {
  orderId: 'bigint',
  position: 'integer',
  productId: 'text',
  title: 'text',
  quantity: 'integer',
  price: 'bigint',
  variantOptionTitle: 'text',
  variantValue: 'text',
  catalogProductId: 'uuid',
  catalogVariantId: 'uuid',
  categoryKeys: 'json',
  stockTaken: 'bigint',
});

export const BONUS = insertRows('bonus_entries', {
  id: 'uuid',
  customerId: 'bigint',
  delta: 'numeric',
  balanceAfter: 'numeric',
  kind: 'text',
  reason: 'text',
  orderId: 'bigint',
  referredId: 'bigint',
  rules: 'json',
  createdAt: 'timestamptz',
  actorName: 'text',
});

export const AUDIT = insertRows('audit_log', {
  id: 'uuid',
  at: 'timestamptz',
  actorKind: 'text',
  actorId: 'text',
  actorName: 'text',
  operation: 'text',
  transport: 'text',
  target: 'text',
  input: 'json',
  changes: 'json',
  outcome: 'text',
  requestId: 'text',
});

export const NOTES = insertRows('order_notes', {
  orderId: 'bigint',
  id: 'uuid',
  text: 'text',
  author: 'text',
  createdAt: 'timestamptz',
});

export const MESSAGES = insertRows('order_messages', {
  id: 'uuid',
  orderId: 'bigint',
  kind: 'text',
  outcome: 'text',
  sentBy: 'text',
  createdAt: 'timestamptz',
});

export const PAYMENTS = insertRows('payments', {
  id: 'uuid',
  chargeId: 'text',
  providerChargeId: 'text',
  payerId: 'bigint',
  invoicePayload: 'text',
  orderId: 'bigint',
  currency: 'text',
  amount: 'bigint',
  outcome: 'text',
  receivedAt: 'timestamptz',
});

/** $2 the promocodes, $3 the number of uses of each. */
export const COUNT_USES = statement(
  'demo_count_uses',
  `update promocodes p set used_count = u.uses from unnest($2::uuid[], $3::bigint[]) as u (id, uses) where p.store_id = $1 and p.id = u.id`,
);

export const VISITS = insertRows('visits', { customerId: 'bigint', day: 'date', previousDay: 'date' });

export const PARTICIPANTS = insertRows('contest_participants', {
  contestId: 'uuid',
  customerId: 'bigint',
  createdAt: 'timestamptz',
});

export const CAMPAIGNS = insertRows('campaigns', {
  id: 'uuid',
  name: 'text',
  text: 'text',
  audience: 'json',
  recipientCount: 'integer',
  status: 'text',
  inputHash: 'text',
  createdAt: 'timestamptz',
  finishedAt: 'timestamptz',
});

export const RECIPIENTS = insertRows('campaign_recipients', {
  campaignId: 'uuid',
  customerId: 'bigint',
  status: 'text',
  reason: 'text',
  sentAt: 'timestamptz',
});

export const ENDPOINT = insertRows('webhook_endpoints', {
  url: 'text',
  sealedSecret: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

/**
 * $2 the events as JSON. A body has the order as it was at that time: status, tracking if it was already set,
 * time of the change.
 */
export const EVENTS = statement(
  'demo_events',
  `insert into order_events (store_id, id, order_id, event, body, created_at)
   select $1::uuid, o.event_id, o.id, o.event, convert_to(
     '{"id":"' || o.event_id || '","event":"' || o.event || '","createdAt":"' ||
     to_char(o.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":' || ${ORDER_JSON} || '}', 'UTF8'), o.updated_at
   from (
     select e.id as event_id, e.event, e.status, e.at as updated_at, p.store_id, p.id, p.payment_method, p.total_price, p.tip_amount,
       p.currency, p.messenger_user_id, p.shipping_address, p.checkout_data, p.created_at,
       case when e."hasTracking" then p.tracking_url end as tracking_url, case when e."hasTracking" then p.carrier end as carrier,
       case when e."hasTracking" then p.tracking_number end as tracking_number
     from json_to_recordset($2::json) as e (id uuid, "orderId" bigint, event text, at timestamptz, status text, "hasTracking" boolean)
     join orders p on p.store_id = $1 and p.id = e."orderId"
   ) o`,
);

export const DELIVERIES = insertRows('webhook_deliveries', {
  id: 'uuid',
  status: 'text',
  failedAttempts: 'integer',
  createdAt: 'timestamptz',
  finishedAt: 'timestamptz',
});

export const ATTEMPTS = insertRows('webhook_attempts', {
  deliveryId: 'uuid',
  id: 'uuid',
  at: 'timestamptz',
  durationMs: 'integer',
  statusCode: 'integer',
  error: 'text',
  response: 'text',
});

/** $2 the time at which the store was created. */
export const AGE_STORE = statement('demo_age_store', `update stores set created_at = $2 where id = $1`);

/** $2 the time at which the subscription began. */
export const SUBSCRIPTION = statement(
  'demo_subscription',
  `insert into subscriptions (store_id, started_at, created_at, updated_at) values ($1, $2, $2, $2)`,
);

export const PLAN_CHANGES = insertRows('plan_changes', {
  id: 'uuid',
  fromPlan: 'text',
  toPlan: 'text',
  changedAt: 'timestamptz',
});

/** Marks all invoices except the newest one as paid. */
export const PAY_INVOICES = statement(
  'demo_pay_invoices',
  `update invoices i set status = 'paid', paid_at = i.issued_at + interval '2 days', updated_at = i.issued_at + interval '2 days'
   where i.store_id = $1 and i.period_start < (select max(period_start) from invoices where store_id = $1)`,
);

/** $2 the token, $3 the time at which it was used. */
export const USE_TOKEN = statement(
  'demo_use_token',
  `update api_tokens set last_used_at = $3 where store_id = $1 and id = $2`,
);

export const INVITATIONS = insertRows('invitations', {
  id: 'uuid',
  email: 'text',
  role: 'text',
  tokenHash: 'text',
  invitedBy: 'text',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
});

export const GRANTS = insertRows('oauth_grants', {
  id: 'uuid',
  userId: 'uuid',
  clientId: 'text',
  clientName: 'text',
  clientHost: 'text',
  redirectHost: 'text',
  scope: 'text',
  resource: 'text',
  createdAt: 'timestamptz',
  lastUsedAt: 'timestamptz',
  expiresAt: 'timestamptz',
});
