import { toMinor } from '../../platform/money.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { searchText } from '../../groups/customers/customer-search.js';
import * as sql from './demo.statements.js';
import { categoryKeysOf, type History, pricingText, type PastOrder } from './history.js';
import { DAY, HOUR, idAt, iso, MINUTE, type Past } from './past.js';
import type { DemoCustomer } from './people.js';
import type { Random } from './random.js';

const NOTE_TEXTS = [
  'Called: will be at home after six.',
  'Pack it as a present, with a card.',
  'The address was corrected by phone.',
  'Second parcel follows next week.',
  'Asked for an invoice to a company.',
];

/**
 * Writes the result of the history, each table with one statement.
 * @returns the numbers of the orders, in the order of the history
 */
export async function writeHistory(
  past: Past,
  random: Random,
  history: History,
  customers: DemoCustomer[],
): Promise<string[]> {
  const { ctx } = past;
  await write(
    ctx,
    sql.CUSTOMERS,
    customers.map((customer) => customerRow(customer, history, past)),
  );
  const made = await ctx.session.run<{ id: string }>(
    sql.ORDERS,
    JSON.stringify(history.orders.map((order) => orderRow(order, ctx.currency))),
  );
  const ids = made.map(({ id }) => id).sort((a, b) => Number(BigInt(a) - BigInt(b)));
  await write(
    ctx,
    sql.LINES,
    history.orders.flatMap((order, i) => lineRows(order, ids[i], ctx.currency)),
  );
  const entries = history.ledger.entries.map(({ order, by, ...entry }) => ({
    ...entry,
    orderId: order === null ? null : ids[order],
    actorName: by,
  }));
  await write(ctx, sql.BONUS, entries);
  await ctx.session.run(sql.COUNT_USES, [...history.uses.keys()], [...history.uses.values()]);
  await write(
    ctx,
    sql.NOTES,
    history.orders.flatMap((order, i) => noteRows(past, random, order, ids[i])),
  );
  await write(
    ctx,
    sql.MESSAGES,
    history.orders.flatMap((order, i) => messageRows(random, order, ids[i])),
  );
  await write(ctx, sql.PAYMENTS, paymentRows(past, history, ids));
  return ids;
}

/** Writes the audit log. It must be called last, after all rows have been noted. */
export async function writeAudits({ ctx, audits }: Past, ids: string[]): Promise<void> {
  const rows = [...audits]
    .sort((a, b) => a.at - b.at)
    .map(({ at, operation, transport, actor, target, input, changes }, i) => {
      const orderId = typeof target === 'string' ? null : ids[target.order];
      const ofOrder = orderId !== null && operation !== 'order.place' && operation !== 'payment.receive';
      return {
        id: idAt(at),
        at: iso(at),
        actorKind: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
        operation,
        transport,
        target: typeof target === 'string' ? target : `order:${orderId}`,
        input: ofOrder ? { orderId: Number(orderId), ...(input as object) } : input,
        changes: changes ?? null,
        outcome: 'ok',
        requestId: `demo-${i + 1}`,
      };
    });
  await write(ctx, sql.AUDIT, rows);
}

export async function write(
  ctx: StoreContext,
  statement: Parameters<typeof ctx.session.run>[0],
  rows: object[],
): Promise<void> {
  await ctx.session.run(statement, JSON.stringify(rows));
}

function customerRow(customer: DemoCustomer, { ledger, orders }: History, { now }: Past) {
  const { id, username, firstName, lastName, isBotBlocked, isBanned, referrer, joinedAt } = customer;
  const entries = ledger.entries.filter(({ customerId }) => customerId === id);
  const lastOrder = orders.findLast((order) => order.customer === customer)?.placedAt ?? joinedAt;
  const seenAt = Math.min(lastOrder + 3 * DAY, now - HOUR);
  return {
    id,
    username,
    firstName,
    lastName,
    isBotBlocked,
    isBanned,
    bonusBalance: ledger.balance(id).toFixed(2),
    referrerId: referrer?.id ?? null,
    createdAt: iso(joinedAt),
    updatedAt: entries.at(-1)?.createdAt ?? iso(joinedAt),
    lastSeenAt: iso(Math.max(seenAt, lastOrder)),
    searchText: searchText({ firstName, lastName, username }),
  };
}

function orderRow(order: PastOrder, currency: string) {
  const { status, paymentMethod, price, customer, shippingAddress, answers, tracking, placedAt, updatedAt } =
    order;
  return {
    status,
    paymentMethod,
    totalPrice: price.total.toString(),
    tipAmount: order.tip,
    currency,
    messengerUserId: customer.id,
    shippingAddress,
    checkoutData: answers,
    ...tracking,
    createdAt: iso(placedAt),
    updatedAt: iso(updatedAt),
    entered: order.entered,
    pricing: JSON.parse(pricingText(order)) as object,
    cancellation: order.cancellation,
  };
}

function lineRows({ lines }: PastOrder, orderId: string, currency: string) {
  return lines.map(({ goods, quantity }, i) => ({
    orderId,
    position: i + 1,
    productId: goods.product.productId,
    title: goods.product.title,
    quantity,
    price: toMinor(goods.price, currency).toString(),
    variantOptionTitle: goods.variant?.optionTitle ?? null,
    variantValue: goods.variant?.variantValue ?? null,
    catalogProductId: goods.product.id,
    catalogVariantId: goods.variant?.id ?? null,
    categoryKeys: categoryKeysOf(goods),
    stockTaken: goods.isTracked ? quantity : 0,
  }));
}

function noteRows(past: Past, random: Random, { placedAt }: PastOrder, orderId: string) {
  if (!random.chance(0.1)) return [];
  const at = Math.min(placedAt + random.integer(10, 600) * MINUTE, past.now - MINUTE);
  const text = random.pick(NOTE_TEXTS);
  const changes: Record<string, [unknown, unknown]> = { note: [null, text] };
  const input = { orderId: Number(orderId), note: text };
  past.note({
    at,
    operation: 'add_order_note',
    transport: 'dashboard',
    actor: past.owner,
    target: `order:${orderId}`,
    input,
    changes,
  });
  return [{ orderId, id: idAt(at), text, author: past.owner.name, createdAt: iso(at) }];
}

/** The messages that the bot sent when orders were shipped. */
function messageRows(random: Random, { steps, customer }: PastOrder, orderId: string) {
  const shipped = steps.find(({ status }) => status === 'SHIPPED');
  if (!shipped || !random.chance(0.8)) return [];
  const outcome = customer.isBotBlocked ? 'unreachable' : 'sent';
  const at = shipped.at + 900;
  return [{ id: idAt(at), orderId, kind: 'shipped', outcome, sentBy: 'Warehouse', createdAt: iso(at) }];
}

/** The payments of orders that were paid in the messenger, and two that do not match an order. */
function paymentRows({ now, ctx }: Past, { orders }: History, ids: string[]) {
  const accepted = orders.flatMap(({ steps, customer, price }, i) => {
    const paid = steps.find(({ by }) => by === 'messenger');
    if (!paid) return [];
    return [
      {
        at: paid.at,
        payerId: customer.id,
        invoicePayload: ids[i],
        orderId: ids[i],
        amount: price.total.toString(),
        outcome: 'accepted',
      },
    ];
  });
  const other = orders.findIndex(({ paymentMethod, steps }) => paymentMethod === 'card' && steps.length > 0);
  const odd = [
    {
      at: now - 20 * DAY,
      payerId: orders[0].customer.id,
      invoicePayload: '0',
      orderId: null,
      amount: '990',
      outcome: 'unknown_order',
    },
    {
      at: orders[other].steps[0].at + DAY,
      payerId: orders[other].customer.id,
      invoicePayload: ids[other],
      orderId: ids[other],
      amount: orders[other].price.total.toString(),
      outcome: 'not_pending',
    },
  ];
  const payments = [...accepted, ...odd].sort((a, b) => a.at - b.at);
  return payments.map(({ at, ...payment }, i) => ({
    ...payment,
    id: idAt(at),
    chargeId: `demo_charge_${i + 1}`,
    providerChargeId: `demo_${i + 1}`,
    currency: ctx.currency,
    receivedAt: iso(at),
  }));
}
