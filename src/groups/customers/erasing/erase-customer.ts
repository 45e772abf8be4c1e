import type { StoreContext } from '../../../platform/store/store-context.js';
import { namesChange } from '../../../search/documents.js';
import { isCustomerId, noSuchCustomer } from '../customer-id.js';
import {
  ERASE_ANSWERS,
  ERASE_CUSTOMER,
  ERASE_ORDERS,
  ERASE_OTHERS,
  ERASE_PREVIEWS,
  LOCK_CUSTOMER,
  LOCK_ORDERS,
} from './erasure.statements.js';

/**
 * Erases a customer's personal data (docs/operations.md, Erasing a customer): removes whatever identifies the
 * customer, wherever it is stored. Ids, amounts, states and times stay. It may be run again.
 * @throws OperationError not_found
 */
export async function eraseCustomer(
  ctx: StoreContext,
  id: string,
): Promise<{ customerId: string; orders: number }> {
  if (!isCustomerId(id)) throw noSuchCustomer(id);
  const customer = { customerId: id };
  const orders = await ctx.session.query(LOCK_ORDERS, customer);
  if ((await ctx.session.query(LOCK_CUSTOMER, customer)).length === 0) throw noSuchCustomer(id);
  // The data that is found through the orders and their events comes first, then the orders and the
  // customer.
  for (const statement of ERASE_OTHERS) await ctx.session.query(statement, customer);
  const now = ctx.now();
  const erased = await ctx.session.query(ERASE_ORDERS, { ...customer, now });
  await ctx.session.query(ERASE_CUSTOMER, { ...customer, now, withOrders: erased.length > 0 });
  await namesChange(ctx, id);
  await ctx.session.query(ERASE_ANSWERS);
  await ctx.session.query(ERASE_PREVIEWS);
  ctx.audit.target = `customer:${id}`;
  return { customerId: id, orders: orders.length };
}
