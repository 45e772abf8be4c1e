import { Injectable } from '@nestjs/common';
import { notFound } from '../../../platform/errors.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { documentsChange } from '../../../search/documents.js';
import { changeReference } from '../../references.js';
import { Order } from '../order/order.entity.js';
import type { OrderReference, SetOrderReferenceInput } from './order-reference.dto.js';

/** What other systems know an order by. */
@Injectable()
export class OrderReferences {
  /** @throws OperationError not_found */
  async get(ctx: StoreContext, orderId: number): Promise<OrderReference> {
    const order = await ctx.rows(Order).findOne({ id: orderId });
    if (!order) throw notFound('Order', orderId);
    return { orderId, externalId: order.externalId, metadata: order.metadata };
  }

  /**
   * Sets the given fields. The order itself stays as it is, with its version, and no event is written
   * (docs/behaviour.md §13.13).
   * @throws OperationError not_found
   */
  async set(ctx: StoreContext, { orderId, ...given }: SetOrderReferenceInput): Promise<OrderReference> {
    const orders = ctx.rows(Order);
    const order = await orders.findOne({ id: orderId }, { lock: true });
    if (!order) throw notFound('Order', orderId);
    ctx.audit.target = `order:${orderId}`;
    const { reference, isChanged } = changeReference(ctx, order, given);
    if (isChanged) {
      await orders.update({ id: orderId }, given);
      documentsChange(ctx, 'order', [orderId]);
    }
    return { orderId, ...reference };
  }
}
