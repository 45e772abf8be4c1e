import { Accounts } from '../../people/accounts/accounts.service.js';
import { Members } from '../../people/members/members.service.js';
import { TokenRegistry } from '../../platform/auth/token-registry.js';
import { type Scope, SCOPES } from '../../access/rights.js';
import type { Actor } from '../../platform/store/call.js';
import { StoreDatabase } from '../../platform/store/store-context.js';
import { Stores } from '../../stores/stores.service.js';
import type { Services } from '../cli/command.js';
import { fillStore, PLANS } from './fill-store.js';

export interface DemoStore {
  store: { id: string; name: string; currency: string; plan: string };
  ownerEmail: string;
  /** Null if the owner's account already exists; then there is an invitation for it. */
  ownerPassword: string | null;
  invitation?: string;
  tokens: Record<Scope, string>;
  /** The number of orders; null if an earlier start had created them. */
  orders: number | null;
}

const DEMO_NAME = 'Demo store';
const OWNER_EMAIL = 'owner@demo.example';
/** How long it may take on a slow machine. */
const LIMIT_MS = 10 * 60_000;

/**
 * Creates a store to try everything on, with three months of orders and everything that belongs to them, and
 * a token of each scope.
 */
export async function seedDemo(app: Services): Promise<DemoStore> {
  const store = { name: DEMO_NAME, currency: 'USD', ownerEmail: OWNER_EMAIL, plan: PLANS.first };
  const { id, ownerEmail, ownerPassword, invitation } = await app.get(Stores).create(store);
  return { ownerEmail, ownerPassword, invitation, ...(await fill(app, id)) };
}

/**
 * Completes the demo store of a start that was killed, or creates one if there is none. Nobody has seen the
 * password and tokens of that start, so they are created again.
 */
export async function completeDemo(app: Services): Promise<DemoStore> {
  const begun = (await app.get(Stores).list()).find(({ name }) => name === DEMO_NAME);
  if (!begun) return seedDemo(app);
  const { password } = await app.get(Accounts).resetByOperator(OWNER_EMAIL);
  return { ownerEmail: OWNER_EMAIL, ownerPassword: password, ...(await fill(app, begun.id)) };
}

/** Writes contents and tokens in one transaction, so that a killed start leaves all of them or none. */
async function fill(app: Services, storeId: string): Promise<Pick<DemoStore, 'store' | 'tokens' | 'orders'>> {
  const principal = await app.get(Stores).operator(storeId);
  const [member] = await app.get(Members).list(storeId);
  const owner: Actor = { kind: 'user', id: member?.userId ?? null, name: OWNER_EMAIL };
  const made = await app.get(StoreDatabase).inStore(principal, async (ctx) => {
    await ctx.session.allow(LIMIT_MS);
    const unseen = (await app.get(TokenRegistry).list(ctx)).filter(({ name }) => TOKEN_NAMES.includes(name));
    const orders = unseen.length === 0 ? await fillStore(app, ctx, owner) : null;
    for (const { id } of unseen) await app.get(TokenRegistry).revoke(ctx, id);
    const tokens = {} as Record<Scope, string>;
    for (const scope of SCOPES) {
      tokens[scope] = (
        await app.get(TokenRegistry).create(ctx, { name: tokenName(scope), scope, expiresAt: null })
      ).token;
    }
    return { tokens, orders };
  });
  const { id, name, currency, plan } = await app.get(Stores).get(storeId);
  return { store: { id, name, currency, plan }, ...made };
}

const tokenName = (scope: Scope) => `demo ${scope}`;
const TOKEN_NAMES = SCOPES.map(tokenName);
