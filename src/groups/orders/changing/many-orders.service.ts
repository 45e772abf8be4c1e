import { Injectable } from '@nestjs/common';
import { part } from '../../../platform/call/idempotency.js';
import { isDeadlock, isLost } from '../../../platform/database/connections/connection.js';
import { unavailable } from '../../../platform/call/lost-connection.js';
import { asRefusal, INTERNAL_ERROR, invalidInput } from '../../../platform/errors.js';
import { counted, eachItem, validItems } from '../../../platform/schema/bulk-result.js';
import type { InvalidItem } from '../../../platform/schema/field-spec.js';
import { writeAudit } from '../../../platform/store/audit.js';
import { type KeptValues, type StoreContext, StoreDatabase } from '../../../platform/store/store-context.js';
import { AfterCommit } from '../../../platform/schema/present.js';
import { LOCK_ORDERS } from '../../order-locks.statements.js';
import type { Notification } from '../../bot/shopper-notifier.service.js';
import { GET_ORDER } from '../order/order.statements.js';
import type { SetOrderStatusInput, ShipOrderInput } from '../order/orders.dto.js';
import type { OrderRecord } from '../order/order.record.js';
import { type ChangedOrder, OrderChanges } from './order-changes.service.js';
import { NOT_SENT, ShippedMessages } from '../messages/shipped-messages.service.js';
import type {
  ChangedOrderItem,
  ChangedOrdersResult,
  SetOrderStatusesInput,
  ShippedItem,
  ShipOrdersInput,
  ShipOrdersResult,
} from './many-orders.dto.js';
import { statement } from '../../../platform/database/statement.js';

/** Ends with the transaction. One rehearsal of many changes at a time keeps its locks. */
const LOCK_REHEARSALS = statement(
  'lock_rehearsals',
  `select pg_advisory_xact_lock(hashtextextended('rehearsals:' || $store::text, 0))`,
);

/** How many messages are under way at a time, and for how long new ones are begun, in milliseconds. */
const MESSAGES_AT_ONCE = 5;
const MESSAGES_MS = 20_000;

/** The change of one order as its audit row shows it; the order's timeline knows these operations. */
interface OneChange {
  operation: 'set_order_status' | 'ship_order';
  input: SetOrderStatusInput | ShipOrderInput;
  run: (own: StoreContext) => Promise<ChangedOrder>;
}

/**
 * Changes many orders. Each is changed in its own transaction, as set_order_status or ship_order changes it,
 * with its own audit row and event. A single transaction would keep the stock and balances of up to two
 * hundred orders locked while it waits for more locks, and could deadlock with shoppers who order at the same
 * time.
 */
@Injectable()
export class ManyOrders {
  constructor(
    private readonly changes: OrderChanges,
    private readonly messages: ShippedMessages,
    private readonly database: StoreDatabase,
  ) {}

  /** An order that is named twice is changed once, and counts once. */
  async setStatuses(
    ctx: StoreContext,
    { orderIds, status }: SetOrderStatusesInput,
  ): Promise<ChangedOrdersResult> {
    const once = [...new Set(orderIds)];
    await this.lockForRehearsal(ctx, validItems(once));
    const orders = await eachItem<number, ChangedOrderItem>(once, (orderId) =>
      this.change(ctx, {
        operation: 'set_order_status',
        input: { orderId, status },
        run: (own) => this.changes.changeStatus(own, orderId, status),
      }),
    );
    const results = new Map<number | InvalidItem, ChangedOrderItem>(once.map((id, i) => [id, orders[i]]));
    const unchanged = orders.filter(({ previousStatus }) => previousStatus === status).length;
    keepStatuses(ctx, orders);
    const { updated, failed } = counted(orders);
    const items = orderIds.map((orderId, index) => ({ ...results.get(orderId)!, index }));
    return { updated: updated - unchanged, unchanged, failed, items };
  }

  /** All orders are shipped before the first shopper is told, as in ship_order. */
  async ship(
    ctx: StoreContext,
    { items: given }: ShipOrdersInput,
  ): Promise<ShipOrdersResult | AfterCommit<ShipOrdersResult>> {
    const named = new Set<number>();
    const toNotify: number[] = [];
    const shipped: StatusChange[] = [];
    const untold = await this.messages.before(ctx);
    await this.lockForRehearsal(
      ctx,
      validItems(given).map(({ orderId }) => orderId),
    );
    const items = await eachItem<ShipOrderInput, ShippedItem>(given, async (input, index) => {
      const { orderId, ...shipment } = input;
      if (named.has(orderId))
        throw invalidInput(`items[${index}].orderId is that of an item before it`).about('named_twice', {
          path: `items[${index}].orderId`,
        });
      named.add(orderId);
      const run = (own: StoreContext) => this.changes.recordShipment(own, orderId, shipment);
      const { status, previousStatus } = await this.change(ctx, { operation: 'ship_order', input, run });
      shipped.push({ orderId, status, previousStatus });
      if (shipment.notify) toNotify.push(index);
      return { orderId, status, ...(shipment.notify ? untold : {}) };
    });
    keepStatuses(ctx, shipped);
    const result = { ...counted(items), unchanged: 0 };
    if (toNotify.length === 0) return result;
    const send = async () => {
      const messages = await this.notify(
        ctx,
        toNotify.map((index) => items[index].orderId!),
      );
      toNotify.forEach((index, i) => {
        const { notifyFailureReason: _, ...item } = items[index];
        items[index] = { ...item, ...messages[i] };
      });
      return result;
    };
    return new AfterCommit(send, structuredClone(result));
  }

  /**
   * A rehearsal keeps the locks of every order, customer and product until its end. Rehearsals wait for each
   * other, and so do other changes of its orders, before they have locked anything else.
   */
  private async lockForRehearsal(ctx: StoreContext, orderIds: number[]): Promise<void> {
    if (!ctx.session.isRehearsal) return;
    ctx.session.enqueue(LOCK_REHEARSALS);
    await ctx.session.query(LOCK_ORDERS, { orderIds });
    // A step of its own, so that the locks stay if the first order is refused.
    await ctx.session.commit();
  }

  /**
   * Changes and commits one order. Orders before it stay changed, whatever is wrong with this one.
   * @throws OperationError for a refusal and for an error of ours; under an Idempotency-Key the error itself
   * of a lost connection, because a repeat of the call does the rest
   */
  private async change(ctx: StoreContext, { operation, input, run }: OneChange) {
    const { transport } = ctx.call!;
    try {
      return await part(ctx, `order ${input.orderId}`, async (own) => {
        const { json, previousStatus, moved } = await run(own);
        writeAudit(own, { ...own.audit, operation, transport, input, outcome: 'ok' });
        const { id, status, updatedAt } = JSON.parse(json.text) as OrderRecord;
        return { orderId: id, status, previousStatus, updatedAt, ...moved };
      });
    } catch (error) {
      if (asRefusal(error) || (isLost(error) && ctx.call!.key?.mode === 'stepwise')) throw error;
      // What others wait for is locked until the end: the call is done once more as a whole.
      if (isDeadlock(error) && ctx.session.isRehearsal) throw error;
      ctx.log.error({ err: error, orderId: input.orderId }, 'an order was not changed');
      throw unavailable(error, ctx.session) ?? INTERNAL_ERROR;
    }
  }

  /** Sends the messages, a few at a time, each with a session of its own. */
  private async notify(ctx: StoreContext, orderIds: readonly number[]): Promise<Notification[]> {
    const outcomes = orderIds.map(() => NOT_SENT);
    const endsAt = performance.now() + MESSAGES_MS;
    let next = 0;
    const sendSome = async () => {
      while (next < orderIds.length && performance.now() < endsAt) {
        const i = next++;
        const send = async (own: StoreContext) => {
          const [order] = await own.session.read(GET_ORDER, { orderId: orderIds[i] });
          return order ? this.messages.send(own, JSON.parse(order.json) as OrderRecord) : NOT_SENT;
        };
        outcomes[i] = await this.database.inStore(ctx, send, ctx.requestId).catch((error: unknown) => {
          ctx.log.error({ err: error, orderId: orderIds[i] }, 'the shopper could not be notified');
          return NOT_SENT;
        });
      }
    };
    await Promise.all(Array.from({ length: MESSAGES_AT_ONCE }, sendSome));
    return outcomes;
  }
}

type StatusChange = Pick<ChangedOrderItem, 'orderId' | 'status' | 'previousStatus'>;

/** Undoing the call puts back the status of each order that it changed. */
function keepStatuses(ctx: StoreContext, orders: StatusChange[]): void {
  const changed = orders.flatMap(({ orderId, status, previousStatus }) =>
    previousStatus === undefined || previousStatus === status ? [] : [[orderId, [previousStatus, status]]],
  );
  if (changed.length > 0) ctx.audit.kept = { before: Object.fromEntries(changed) as KeptValues['before'] };
}
