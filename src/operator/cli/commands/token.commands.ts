import { GROUPS, type Scope, SCOPES } from '../../../access/rights.js';
import { TokenRegistry } from '../../../platform/auth/token-registry.js';
import { invalidInput, notFound } from '../../../platform/errors.js';
import { DECLARED } from '../../../platform/call/endpoint.js';
import { checkedGroups } from '../../../platform/call/operation.registry.js';
import { StoreDatabase } from '../../../platform/store/store-context.js';
import { Stores } from '../../../stores/stores.service.js';
import { type Commands, optionalText, positiveInteger, text } from '../command.js';
import { inStore } from '../in-store.js';
import { DAY_MS } from '../../../platform/clock.js';

export const COMMANDS = {
  'token create': {
    recorded: ({ store }, { id, scope, groups }: { id: string; scope: Scope; groups: string[] | null }) => ({
      target: `token:${id}`,
      details: { store, scope, groups },
    }),
    async run(call) {
      const { app, options } = call;
      const scope = text(options.scope) as Scope;
      if (!SCOPES.includes(scope)) throw invalidInput(`scope must be one of ${SCOPES.join(', ')}`);
      const name = text(options.name);
      if (name.length < 1 || name.length > 100)
        throw invalidInput('name must be a string of 1 to 100 characters');
      const groups = await groupsOf(optionalText(options.groups));
      const days = positiveInteger(options['expires-in-days'], 'expires-in-days', 3_650);
      const expiresAt = days === undefined ? null : new Date(Date.now() + days * DAY_MS);
      return inStore(call, 'token.create', async (ctx) => {
        const { record, token } = await app
          .get(TokenRegistry)
          .create(ctx, { name, scope, groups, expiresAt });
        return { id: record.id, token, name, scope, groups: record.groups, expiresAt };
      });
    },
  },
  'token list': {
    async run({ app, options }) {
      const principal = await app.get(Stores).operator(text(options.store));
      return app.get(StoreDatabase).inStore(principal, (ctx) => app.get(TokenRegistry).list(ctx));
    },
  },
  'token revoke': {
    recorded: ({ store }, { id }: { id: string }) => ({ target: `token:${id}`, details: { store } }),
    async run(call) {
      const id = text(call.options.id);
      return inStore(call, 'token.revoke', async (ctx) => {
        const revokedAt = await call.app.get(TokenRegistry).revoke(ctx, id);
        if (!revokedAt) throw notFound('The token');
        return { id, revokedAt };
      });
    },
  },
} satisfies Commands;

/** Only the operations' declarations know their names, and they take a while to load. */
async function groupsOf(given: string | undefined): Promise<string[] | null> {
  if (given === undefined) return null;
  const names = given.split(',').map((name) => name.trim());
  const groups = Object.keys(GROUPS).sort();
  if (!names.every((name) => groups.includes(name))) await import('../../../start/group-modules.js');
  return checkedGroups(names, groups, (name) => DECLARED.has(name));
}
