import { Injectable } from '@nestjs/common';
import type { Statement } from '../../platform/database/statement.js';
import { notFound } from '../../platform/errors.js';
import { toMajor } from '../../platform/money.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { CHANGES, DELIVERIES, MESSAGES, MOST, NOTES, PAYMENTS, PLACED } from './order-timeline.statements.js';
import type { OrderTimelineRecord, TimelineEntry, TimelineKind } from './order-timeline.dto.js';

type Pair = [unknown, unknown];
interface Read extends Record<string, unknown> {
  at: Date;
  id: string;
  by: string | null;
}
interface ChangeRow extends Read {
  operation: string;
  input: { reason?: unknown; amount?: unknown };
  changes: Record<string, Pair> | null;
}

const KINDS: Record<string, TimelineKind> = {
  set_order_status: 'status',
  ship_order: 'shipped',
  refund_order: 'refund',
  'payment.receive': 'status',
};

/** Everything that happened to an order, in one list (docs/behaviour.md §13.6). */
@Injectable()
export class OrderTimeline {
  async get(ctx: StoreContext, orderId: number): Promise<OrderTimelineRecord> {
    const read = <Row extends Read>(from: Statement, key: string | number = orderId) => ctx.session.read<Row>(from, key);
    const [[order], changes, notes, payments, messages, deliveries] = await Promise.all([
      ctx.session.read<{ at: Date; total: string; paymentMethod: string; shopper: string; pieces: number }>(PLACED, orderId),
      read<ChangeRow>(CHANGES, `order:${orderId}`),
      read<Read & { text: string }>(NOTES),
      read<Read & { amount: string; currency: string; outcome: string }>(PAYMENTS),
      read<Read & { kind: string; outcome: string }>(MESSAGES),
      read<Read & Delivery>(DELIVERIES),
    ]);
    if (!order) throw notFound('Order', orderId);
    const pieces = order.pieces === 1 ? '1 piece' : `${order.pieces} pieces`;
    const placed = `Placed: ${pieces} for ${money(order.total, ctx.currency)}, payment by ${order.paymentMethod}`;
    const entries = [
      entry('placed', { ...order, by: order.shopper }, placed),
      ...changes.map((row) => entry(kindOf(row), row, changeText(row), row.changes)),
      ...notes.map((row) => entry('note', row, row.text)),
      ...payments.map((row) =>
        row.outcome === 'accepted'
          ? entry('paid', row, `Paid ${money(row.amount, row.currency)} through the messenger, charge ${row.id}`)
          : entry(
              'payment',
              row,
              `A payment of ${money(row.amount, row.currency)} changed nothing: ${row.outcome}, charge ${row.id}`,
            ),
      ),
      ...messages.map((row) =>
        entry(
          'message',
          row,
          row.outcome === 'sent' ? 'The shopper was told that it was shipped' : `The shopper could not be told: ${row.outcome}`,
        ),
      ),
      ...deliveries.map((row) => entry('delivery', row, deliveryText(row))),
    ];
    // Stable: what happened in one moment stays in the order of the kinds above, the oldest first.
    entries.sort((a, b) => a.at.localeCompare(b.at));
    return { entries: entries.slice(-MOST) };
  }
}

const money = (minor: string, currency: string) => `${toMajor(BigInt(minor), currency)} ${currency}`;

function entry(
  kind: TimelineKind,
  { at, by }: { at: Date; by?: string | null },
  text: string,
  changes: TimelineEntry['changes'] = null,
) {
  return { at: at.toISOString(), kind, by: by ?? null, text, changes };
}

function kindOf({ operation, changes }: ChangeRow): TimelineKind {
  return KINDS[operation] ?? (changes?.items ? 'items' : 'change');
}

function changeText({ operation, input, changes }: ChangeRow): string {
  const parts = Object.entries(changes ?? {}).map(([name, [before, after]]) => {
    if (name === 'note') return 'A note was deleted';
    if (name === 'status') return `Status ${String(before)} became ${String(after)}`;
    if (name === 'givenBack' || name === 'takenBack' || name === 'short')
      return `${WORDS[name]} ${JSON.stringify(after ?? before)}`;
    return name === 'items' ? 'Items changed' : `${name} is ${JSON.stringify(after)}`;
  });
  if (operation === 'refund_order') {
    const amount = typeof input.amount === 'number' ? ` of ${input.amount} minor units` : '';
    parts.unshift(`Refund${amount} recorded${typeof input.reason === 'string' ? `: ${input.reason}` : ''}`);
  }
  return parts.length > 0 ? parts.join('; ') : `${operation} changed nothing`;
}

const WORDS = { givenBack: 'given back', takenBack: 'taken back', short: 'short of' };

interface Delivery {
  event: string;
  status: string;
  attempts: number;
  error: string | null;
  statusCode: number | null;
}

function deliveryText({ event, status, attempts, error, statusCode }: Delivery): string {
  const times = `${attempts} attempt${attempts === 1 ? '' : 's'}`;
  const last = error ?? (statusCode === null ? null : `HTTP ${statusCode}`);
  if (status === 'delivered') return `${event} delivered after ${times}`;
  return `${event} ${status} after ${times}${attempts > 0 && last ? `, the last: ${last}` : ''}`;
}
