import type { StoreContext } from '../../platform/store/store-context.js';
import { LIST_TEST_MODE } from './payment-provider.statements.js';
import type { TestPayments } from './payment-providers.dto.js';

/** By which methods shoppers of a live shop pay without money. */
export async function testPaymentsOf(ctx: StoreContext): Promise<TestPayments> {
  const providers = await ctx.session.read(LIST_TEST_MODE, { currency: ctx.currency });
  return { methods: providers.map(({ name }) => name) };
}
