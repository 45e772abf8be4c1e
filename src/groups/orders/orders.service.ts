import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import { deletion } from '../../platform/store/audit.js';
import { DEFAULT_TAKE, PAGE_BYTES } from '../../platform/schema/pages/page.js';
import type { RowOf } from '../../platform/database/statement.js';
import { AfterCommit, RawJson } from '../../platform/schema/present.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import type { PageInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { warning } from '../../platform/problems.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import { spendDaily } from '../../stores/daily-limits.js';
import type { ToldOrder } from '../bot/shopper-notifier.service.js';
import {
  DELETE_ORDER,
  EMPTY_EVENTS,
  GET_ORDER,
  LIST_ORDERS,
  LIST_ORDERS_BY_STATUS,
  LIST_ORDERS_OF_CUSTOMER,
  LOCK_ORDER_ROW,
  INSERT_REFUND,
  READ_DELETED,
} from './order/order.statements.js';
import { OrderRecord } from './order/order.record.js';
import { OrderCancelling } from './changing/order-cancelling.service.js';
import { OrderChanges, wasShipped } from './changing/order-changes.service.js';
import { ShippedMessages } from './messages/shipped-messages.service.js';
import { NOTHING_MOVED, type OrderMovement } from './changing/order-movement.js';
import type {
  DeleteOrderResult,
  ListOrdersInput,
  RefundOrderInput,
  SetOrderStatusInput,
  ShipOrderInput,
} from './order/orders.dto.js';

const NO_CURSOR = '9223372036854775807';

@Injectable()
export class OrdersService {
  constructor(
    private readonly changes: OrderChanges,
    private readonly cancelling: OrderCancelling,
    private readonly messages: ShippedMessages,
  ) {}

  list(ctx: StoreContext, { status, ...page }: ListOrdersInput): Promise<RawJson> {
    return this.page(ctx, page, (bounds) =>
      status
        ? ctx.session.read(LIST_ORDERS_BY_STATUS, { ...bounds, status })
        : ctx.session.read(LIST_ORDERS, bounds),
    );
  }

  /** The orders of one customer. */
  listOf(ctx: StoreContext, customerId: string, page: PageInput): Promise<RawJson> {
    return this.page(ctx, page, (bounds) =>
      ctx.session.read(LIST_ORDERS_OF_CUSTOMER, { ...bounds, customerId }),
    );
  }

  async get(ctx: StoreContext, orderId: number): Promise<RawJson> {
    const json = await this.find(ctx, orderId);
    if (json === null) throw notFound('Order', orderId);
    return new RawJson(json);
  }

  private async find(ctx: StoreContext, orderId: number | string): Promise<string | null> {
    const [row] = await ctx.session.read(GET_ORDER, { orderId });
    return row ? row.json : null;
  }

  async setStatus(ctx: StoreContext, { orderId, status }: SetOrderStatusInput): Promise<RawJson> {
    const order = await this.changes.changeStatus(ctx, orderId, status);
    return RawJson.object({ orderId, status, order: order.json });
  }

  /**
   * Commits the shipped order before it notifies the shopper, so that a failed message does not undo the
   * shipment.
   */
  async ship(
    ctx: StoreContext,
    { orderId, ...shipment }: ShipOrderInput,
  ): Promise<RawJson | AfterCommit<RawJson>> {
    const { json } = await this.changes.recordShipment(ctx, orderId, shipment);
    if (!shipment.notify) return RawJson.object({ order: json });
    const send = async () => {
      const notification = await this.messages.send(ctx, JSON.parse(json.text) as ToldOrder);
      return RawJson.object({ order: json, ...notification });
    };
    return new AfterCommit(send, RawJson.object({ order: json, ...(await this.messages.before(ctx)) }));
  }

  /** Records the refund as requested, with a warning if it cannot be right (docs/behaviour.md §6.11). */
  async refund(ctx: StoreContext, { orderId, amount, reason }: RefundOrderInput): Promise<RawJson> {
    const status = 'CANCELLED';
    const order = await this.changes.changeStatus(ctx, orderId, status);
    const [{ wasRefunded }] = await ctx.session.query(INSERT_REFUND, {
      id: newId(),
      orderId,
      amount: amount ?? null,
      reason: reason ?? null,
      by: ctx.actor.name,
      at: ctx.now(),
    });
    const { totalPrice: total } = JSON.parse(order.json.text) as OrderRecord;
    await spendDaily(ctx, 'refunds', amount ?? total);
    const less =
      `amount is less than the order's total, ${total}: the whole order is cancelled; ` +
      'set_order_status keeps the rest, and the refund';
    const warnings = [
      ...(amount !== undefined && amount > total
        ? [warning(`amount is above the order's total, ${total}`, 'refund_above', { total })]
        : []),
      ...(amount !== undefined && amount < total ? [warning(less, 'refund_below', { total })] : []),
      ...(wasRefunded
        ? [warning('orderId names an order that has been refunded before', 'refunded_before')]
        : []),
    ];
    const refund = { amount: amount ?? null, reason: reason ?? null };
    return RawJson.object(
      withWarnings({ orderId, status, order: order.json, refund, ...order.moved }, warnings),
    );
  }

  /** An order that was never shipped gives back what it holds; of any other only the record goes. */
  async delete(ctx: StoreContext, orderId: number): Promise<DeleteOrderResult> {
    ctx.session.enqueue(LOCK_ORDER_ROW, { orderId });
    const [row] = await ctx.session.query(READ_DELETED, { orderId });
    if (!row) throw notFound('Order', orderId);
    ctx.checkUnchanged(row.updated_at);
    const { changes, ...moved } = await this.giveBack(ctx, orderId, row);
    ctx.session.enqueue(EMPTY_EVENTS, { orderId });
    ctx.session.enqueue(DELETE_ORDER, { orderId });
    const { notes } = row;
    ctx.audit.changes = {
      ...deletion(OrderRecord, JSON.parse(row.json) as OrderRecord),
      notes: [notes, null],
      ...changes,
    };
    ctx.audit.target = `order:${orderId}`;
    return { orderId, deleted: true, ...moved };
  }

  private async giveBack(
    ctx: StoreContext,
    orderId: number,
    { status, entered, cancelling, messenger_user_id: customerId }: RowOf<typeof READ_DELETED>,
  ): Promise<OrderMovement> {
    if (status === 'CANCELLED' || wasShipped(entered)) return NOTHING_MOVED;
    return this.cancelling.cancel(ctx, { id: orderId, customerId }, cancelling, false);
  }

  private async page(
    ctx: StoreContext,
    { take = DEFAULT_TAKE, cursor = NO_CURSOR }: PageInput,
    read: (bounds: { idBelow: string; take: number }) => Promise<RowOf<typeof LIST_ORDERS>[]>,
  ): Promise<RawJson> {
    if (!/^[1-9]\d{0,18}$/.test(cursor) || BigInt(cursor) > BigInt(NO_CURSOR)) {
      throw invalidInput('cursor must be the id of an order, as a list gave it out');
    }
    const rows = await read({ idBelow: cursor, take: take + 1 });
    const items: RawJson[] = [];
    let bytes = 0;
    for (const [i, { id, json }] of rows.slice(0, take).entries()) {
      const text = json ?? (await this.find(ctx, id));
      bytes += Buffer.byteLength(text ?? '') + 1;
      if (bytes > (ctx.call?.answer?.pageBytes ?? PAGE_BYTES) && items.length > 0)
        return orderPage(items, rows[i - 1].id);
      if (text !== null) items.push(new RawJson(text));
    }
    return orderPage(items, rows.length > take ? rows[take - 1].id : null);
  }
}

const orderPage = (items: RawJson[], nextCursor: string | null) =>
  RawJson.object({ items: RawJson.array(items), nextCursor });
