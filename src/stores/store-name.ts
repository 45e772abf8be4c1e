import type { StoreContext } from '../platform/store/store-context.js';
import { GET_NAME } from './stores.statements.js';

export async function storeName(ctx: StoreContext): Promise<string> {
  const [{ name }] = await ctx.session.read(GET_NAME);
  return name;
}
