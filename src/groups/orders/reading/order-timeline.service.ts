import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../../platform/database/statement.js';
import { notFound } from '../../../platform/errors.js';
import { isCurrency, toMajor } from '../../../platform/money.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { CHANGES, DELIVERIES, MESSAGES, MOST, NOTES, PAYMENTS, PLACED } from './order-timeline.statements.js';
import { isMovement, movementText } from '../../movement-text.js';
import type {
  HistoryEntry,
  OrderHistoryRecord,
  TimelineEntry,
  TimelineFacts,
  TimelineKind,
} from './order-timeline.dto.js';

type ChangeRow = RowOf<typeof CHANGES>;

const KINDS: Record<string, TimelineKind> = {
  set_order_status: 'status',
  ship_order: 'shipped',
  refund_order: 'refund',
  'payment.refund': 'refund',
  'payment.receive': 'status',
  'order.expire': 'status',
};

/** Everything that happened to an order, in one list (docs/behaviour.md §13.6). */
@Injectable()
export class OrderTimeline {
  async get(ctx: StoreContext, orderId: number): Promise<OrderHistoryRecord> {
    const { session } = ctx;
    const [[order], ...latest] = await Promise.all([
      session.read(PLACED, { orderId }),
      session.read(CHANGES, { target: `order:${orderId}` }),
      session.read(NOTES, { orderId }),
      session.read(PAYMENTS, { orderId }),
      session.read(MESSAGES, { orderId }),
      session.read(DELIVERIES, { orderId }),
    ]);
    // The latest are read, and told from the oldest on.
    for (const rows of latest) rows.reverse();
    const [changes, notes, payments, messages, deliveries] = latest;
    if (!order) throw notFound('Order', orderId);
    const placed = {
      pieces: order.pieces,
      amount: toMajor(order.total, ctx.currency),
      currency: ctx.currency,
      paymentMethod: order.paymentMethod,
    };
    const entries = [
      entry('placed', { ...order, by: order.shopper }, placedText(placed), placed),
      ...changes.map((row) =>
        entry(kindOf(row), row, changeText(row, ctx.currency), refundOf(row, ctx.currency), row.changes),
      ),
      ...notes.map((row) => entry('note', row, row.text)),
      ...payments.map((row) => {
        const { amount, currency, outcome, id: charge } = row;
        const paid = {
          ...(isCurrency(currency) ? { amount: toMajor(amount, currency) } : {}),
          currency,
          outcome,
          charge,
        };
        const text = paymentText({ ...paid, amount: paid.amount ?? `${amount} minor units of` });
        return entry(outcome === 'accepted' ? 'paid' : 'payment', row, text, paid);
      }),
      ...messages.map(({ kind, outcome, ...row }) => {
        const { detail } = row;
        return entry('message', row, messageText(kind, outcome, detail), {
          ...{ message: kind, outcome },
          ...(detail === null ? {} : { reason: detail }),
        });
      }),
      ...deliveries.map((row) => {
        const delivery = deliveryOf(row);
        return entry('delivery', row, deliveryText(delivery), delivery);
      }),
    ];
    // The sort is stable, so entries of the same moment keep the order of the kinds above.
    entries.sort((a, b) => a.at.localeCompare(b.at));
    return { entries: entries.slice(-MOST) };
  }
}

function entry(
  kind: TimelineKind,
  { at, by }: { at: Date; by?: string | null },
  text: string,
  facts: TimelineFacts = {},
  changes: TimelineEntry['changes'] = null,
): HistoryEntry {
  return { at: at.toISOString(), kind, by: by ?? null, text, changes, facts };
}

type Placed = Required<Pick<TimelineFacts, 'pieces' | 'amount' | 'currency' | 'paymentMethod'>>;

const placedText = ({ pieces, amount, currency, paymentMethod }: Placed) =>
  `Placed: ${pieces === 1 ? '1 piece' : `${pieces} pieces`} for ${amount} ${currency}, payment by ` +
  `${paymentMethod}`;

type Paid = Required<Pick<TimelineFacts, 'amount' | 'currency' | 'outcome' | 'charge'>>;

const paymentText = ({ amount, currency, outcome, charge }: Paid) =>
  outcome === 'accepted'
    ? `Paid ${amount} ${currency} through the messenger, charge ${charge}`
    : `A payment of ${amount} ${currency} changed nothing: ${outcome}, charge ${charge}`;

function messageText(kind: string, outcome: string, detail: string | null): string {
  const what = `that it was ${kind}`;
  if (outcome === 'unknown') return `It is not known whether the shopper was told ${what}`;
  return outcome === 'sent'
    ? `The shopper was told ${what}${detail === null ? '' : `, without the picture: ${detail}`}`
    : `The shopper could not be told ${what}: ${outcome}${detail === null ? '' : `, ${detail}`}`;
}

function kindOf({ operation, changes }: ChangeRow): TimelineKind {
  return KINDS[operation] ?? (changes?.items ? 'items' : 'change');
}

/** The amount and the reason given with a refund. */
function refundOf({ operation, input }: ChangeRow, currency: string): TimelineFacts {
  if (KINDS[operation] !== 'refund') return {};
  return {
    ...(typeof input.amount === 'number' ? { amount: toMajor(input.amount, currency), currency } : {}),
    ...(typeof input.reason === 'string' ? { reason: input.reason } : {}),
  };
}

/** The fields of an order that are amounts in minor units. */
const AMOUNTS = ['totalPrice', 'tipAmount'];

function changeText({ operation, input, changes }: ChangeRow, currency: string): string {
  const inWords = (minor: number) => `${toMajor(minor, currency)} ${currency}`;
  const parts = Object.entries(changes ?? {}).map(([name, [before, after]]) => {
    if (name === 'note') return 'A note was deleted';
    if (name === 'status') return `Status ${String(before)} became ${String(after)}`;
    if (isMovement(name)) return movementText(name, before, after);
    if (name === 'items') return 'Items changed';
    const isAmount = AMOUNTS.includes(name) && typeof after === 'number';
    return `${name} is ${isAmount ? inWords(after) : JSON.stringify(after)}`;
  });
  if (KINDS[operation] === 'refund') {
    const amount = typeof input.amount === 'number' ? ` of ${inWords(input.amount)}` : '';
    parts.unshift(`Refund${amount} recorded${typeof input.reason === 'string' ? `: ${input.reason}` : ''}`);
  }
  return parts.length > 0 ? parts.join('; ') : `${operation} changed nothing`;
}

type Delivered = Required<Pick<TimelineFacts, 'event' | 'outcome' | 'attempts'>> &
  Pick<TimelineFacts, 'lastAnswer'>;

/** The last answer is included only while no attempt has succeeded. */
function deliveryOf({ event, status, attempts, error, statusCode }: RowOf<typeof DELIVERIES>): Delivered {
  const last = error ?? (statusCode === null ? null : `HTTP ${statusCode}`);
  return {
    event,
    outcome: status,
    attempts,
    ...(status !== 'delivered' && attempts > 0 && last ? { lastAnswer: last } : {}),
  };
}

const deliveryText = ({ event, outcome, attempts, lastAnswer }: Delivered) =>
  `${event} ${outcome} after ${attempts} ` +
  `attempt${attempts === 1 ? '' : 's'}${lastAnswer === undefined ? '' : `, the last: ${lastAnswer}`}`;
