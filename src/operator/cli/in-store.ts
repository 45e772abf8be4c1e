import { Accounts } from '../../people/accounts.service.js';
import { type AuditEntry, withoutSecretKeys, writeAudit } from '../../platform/store/audit.js';
import { LiveChanges } from '../../platform/store/live-changes.js';
import { StoreDatabase } from '../../platform/store/store-database.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Stores } from '../../stores/stores.service.js';
import { Doorbell } from '../../webhooks/doorbell/doorbell.js';
import type { CommandCall } from './command.js';
import type { Services } from './services.js';

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
  await Promise.all([app.get(Doorbell).settled(), app.get(LiveChanges).settled()]);
  return result;
}

/** Writes down in a store what the operator did beside it. */
export async function auditIn(
  app: Services,
  storeId: string,
  entry: Pick<AuditEntry, 'operation' | 'target' | 'input'>,
): Promise<void> {
  const principal = await app.get(Stores).operator(storeId);
  await app.get(StoreDatabase).inStore(principal, async (ctx) => writeAudit(ctx, { ...entry, transport: 'cli', outcome: 'ok' }));
}

/** An account is no store's: what the operator did to one stands in every store that the person is a member of. */
export async function auditInStoresOf(app: Services, email: string, operation: string): Promise<void> {
  const { userId } = await app.get(Accounts).get(email);
  for (const { id } of await app.get(Accounts).storesOf(userId)) {
    await auditIn(app, id, { operation, target: `user:${userId}`, input: { email } });
  }
}
