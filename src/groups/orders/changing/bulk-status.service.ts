import { Injectable } from '@nestjs/common';
import { asRefusal, INTERNAL_ERROR } from '../../../platform/errors.js';
import { counted, itemError } from '../../../platform/schema/bulk-result.js';
import { writeAudit } from '../../../platform/store/audit.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { OrderRecord } from '../order.record.js';
import { OrderChanges } from './order-changes.service.js';
import type { OrderStatusItem, SetOrderStatusesInput, SetOrderStatusesResult } from './bulk-status.dto.js';

/** The operation in each order's audit row. The change is the same, and the timeline knows this operation. */
const OPERATION = 'set_order_status';

/**
 * Sets many orders to one status. Each order is changed in its own transaction, as set_order_status changes
 * it, with its own audit row and event. A single transaction would keep the stock and balances of up to a
 * hundred orders locked while it waits for more locks, and could deadlock with shoppers who order at the same
 * time.
 */
@Injectable()
export class BulkStatus {
  constructor(private readonly changes: OrderChanges) {}

  async set(ctx: StoreContext, { orderIds, status }: SetOrderStatusesInput): Promise<SetOrderStatusesResult> {
    // An order that is named twice is changed once.
    const results = new Map<number, Partial<OrderStatusItem>>();
    for (const orderId of new Set(orderIds))
      results.set(orderId, await this.setOne(ctx.with({ audit: {} }), { orderId, status }));
    return {
      ...counted([...results.values()]),
      items: orderIds.map((orderId, index) => ({ index, orderId, ...results.get(orderId) })),
    };
  }

  private async setOne(
    ctx: StoreContext,
    input: { orderId: number; status: SetOrderStatusesInput['status'] },
  ): Promise<Partial<OrderStatusItem>> {
    try {
      const { json, previousStatus, moved } = await this.changes.setStatus(ctx, input.orderId, input.status);
      writeAudit(ctx, {
        ...ctx.audit,
        operation: OPERATION,
        transport: ctx.call!.transport,
        input,
        outcome: 'ok',
      });
      await ctx.session.commit();
      const { updatedAt } = JSON.parse(json.text) as OrderRecord;
      return { status: input.status, previousStatus, updatedAt, ...moved };
    } catch (error) {
      await ctx.session.rollback();
      const refusal = asRefusal(error);
      // Earlier orders are already changed, so their results must reach the caller whatever is wrong with
      // this one.
      if (!refusal)
        ctx.log.error(
          { err: error, requestId: ctx.requestId, orderId: input.orderId },
          'a status was not set',
        );
      return { error: itemError(refusal ?? INTERNAL_ERROR) };
    }
  }
}
