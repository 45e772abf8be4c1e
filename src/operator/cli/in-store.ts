import type { Groups, Role } from '../../access/rights.js';
import { Accounts } from '../../people/accounts/accounts.service.js';
import { Invitations } from '../../people/members/invitations.service.js';
import { invalidInput } from '../../platform/errors.js';
import { type AuditEntry, withoutSecretKeys, writeAudit } from '../../platform/store/audit.js';
import { wasMovedAway } from '../../platform/store/call.js';
import { LiveChanges } from '../../platform/store/live-changes.js';
import { StoreDatabase, type StoreContext } from '../../platform/store/store-context.js';
import { Stores } from '../../stores/stores.service.js';
import { Doorbell } from '../../webhooks/doorbell/doorbell.js';
import type { CommandCall, Services } from './command.js';

/**
 * The input for the audit row. It does not have the store, to which the row belongs, nor the output format.
 */
function inputOf({ store: _, json: __, ...asked }: CommandCall['options']): object {
  return withoutSecretKeys(asked) as object;
}

/** Runs a change in the store and audits it as a change by the operator. */
export async function inStore<Result>(
  { app, options }: CommandCall,
  operation: string,
  work: (ctx: StoreContext) => Promise<Result>,
): Promise<Result> {
  await refuseLeft(app, options.store as string);
  const principal = await app.get(Stores).operator(options.store as string);
  const result = await app.get(StoreDatabase).inStore(principal, async (ctx) => {
    const done = await work(ctx);
    writeAudit(ctx, { ...ctx.audit, operation, transport: 'cli', input: inputOf(options), outcome: 'ok' });
    return done;
  });
  await Promise.all([app.get(Doorbell).settled(), app.get(LiveChanges).settled()]);
  return result;
}

/** @throws OperationError invalid_input for what is left of a store that was moved away */
async function refuseLeft(app: Services, storeId: string): Promise<void> {
  const store = await app.get(Stores).get(storeId);
  if (wasMovedAway(store)) throw invalidInput(`store: it was moved to ${store.movedTo}, so run this there`);
}

/** Audits an action of the operator that was done outside a transaction of the store. */
export async function auditIn(
  app: Services,
  storeId: string,
  entry: Pick<AuditEntry, 'operation' | 'target' | 'input'>,
): Promise<void> {
  const principal = await app.get(Stores).operator(storeId);
  await app
    .get(StoreDatabase)
    .inStore(principal, async (ctx) => writeAudit(ctx, { ...entry, transport: 'cli', outcome: 'ok' }));
}

/**
 * Audits a change to an account in every store of which the person is a member, because accounts do not
 * belong to a store.
 */
export async function auditInStoresOf(app: Services, email: string, operation: string): Promise<void> {
  const { userId } = await app.get(Accounts).get(email);
  for (const { id } of await app.get(Accounts).storesOf(userId)) {
    // Nothing is written to what is left of a store that was moved away.
    if (wasMovedAway(await app.get(Stores).get(id))) continue;
    await auditIn(app, id, { operation, target: `user:${userId}`, input: { email } });
  }
}

/** Invites people to the store. @returns each with a link with which anybody who has it can join */
export async function invite(
  app: Services,
  storeId: string,
  people: { email: string; role: Role; groups: Groups }[],
): Promise<{ email: string; role: string; invitation: string }[]> {
  const principal = await app.get(Stores).operator(storeId);
  const links: { email: string; role: string; invitation: string }[] = [];
  for (const { email, role, groups } of people) {
    const made = await app.get(StoreDatabase).inStore(principal, async (ctx) => {
      const isMailed = await app.get(Invitations).mayMail(ctx, email);
      return app.get(Invitations).invite(ctx, { email, role, groups, isMailed });
    });
    links.push({ email, role, invitation: made.invitation });
  }
  return links;
}
