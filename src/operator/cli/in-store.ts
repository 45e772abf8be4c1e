import { withoutSecretKeys, writeAudit } from '../../platform/store/audit.js';
import { StoreDatabase } from '../../platform/store/store-database.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Stores } from '../../stores/stores.service.js';
import { Doorbell } from '../../webhooks/doorbell/doorbell.js';
import type { CommandCall } from './commands.js';

/** What was asked, for the audit. The store is where the row stands; how the answer is printed is nothing asked. */
function inputOf({ store: _, json: __, ...asked }: CommandCall['options']): object {
  return withoutSecretKeys(asked) as object;
}

/** Runs a change inside the store, audited as the operator's. */
export async function inStore<Result>(
  { app, options }: CommandCall,
  operation: string,
  work: (ctx: StoreContext) => Promise<Result>,
): Promise<Result> {
  const principal = await app.get(Stores).operator(options.store as string);
  const result = await app.get(StoreDatabase).inStore(principal, async (ctx) => {
    const done = await work(ctx);
    writeAudit(ctx, { ...ctx.audit, operation, transport: 'cli', input: inputOf(options), outcome: 'ok' });
    return done;
  });
  await app.get(Doorbell).settled();
  return result;
}
