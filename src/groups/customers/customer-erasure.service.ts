import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { isCustomerId } from './customer-id.js';
import { ERASE_ANSWERS, ERASE_CUSTOMER, ERASE_ORDERS, ERASE_OTHERS, LOCK_CUSTOMER, LOCK_ORDERS } from './erasure.statements.js';

/** A person's right to be forgotten (docs/operations.md, Erasing a customer). */
@Injectable()
export class CustomerErasure {
  /**
   * Removes what tells who the customer is, wherever it is kept; ids, amounts, states and times stay. May be run again.
   * @throws OperationError not_found
   */
  async erase(ctx: StoreContext, id: string): Promise<{ customerId: string; orders: number }> {
    const orders = isCustomerId(id) ? await ctx.session.run(LOCK_ORDERS, id) : [];
    if (!isCustomerId(id) || (await ctx.session.run(LOCK_CUSTOMER, id)).length === 0) throw notFound('Customer', id);
    // First what is found by the orders' bodies and events, then these.
    for (const statement of ERASE_OTHERS) await ctx.session.run(statement, id);
    await ctx.session.run(ERASE_ORDERS, id, ctx.now());
    await ctx.session.run(ERASE_CUSTOMER, id, ctx.now());
    await ctx.session.run(ERASE_ANSWERS);
    ctx.audit.target = `customer:${id}`;
    return { customerId: id, orders: orders.length };
  }
}
