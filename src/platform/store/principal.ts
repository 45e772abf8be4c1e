export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** admin includes write, and write includes read (docs/behaviour.md §2.2). */
export function includesScope(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** The scopes that include this one. */
export const scopesWith = (needed: Scope): readonly Scope[] => SCOPES.filter((held) => includesScope(held, needed));

/** Who changed something, as the audit shows it. */
export interface Actor {
  kind: 'token' | 'user' | 'shopper' | 'system' | 'client';
  id: string | null;
  name: string;
}

/** The caller, bound to one store. */
export interface Principal {
  storeId: string;
  /** The store's currency code; it never changes. */
  currency: string;
  scope: Scope;
  actor: Actor;
  /** Calls with the same key share the budgets of docs/behaviour.md §2.3. */
  budgetKey: string;
  /** Of an app that a person let in: the highest scope that person could grant now, and the resource its token is for. */
  consent?: { ceiling: Scope; resource: Resource };
  /** Why they may call nothing at all (403), though it is known who they are. */
  barred?: string;
}

/** Paths below BASE_URL that an app's token can be for; each token is for one of them (docs/behaviour.md §15). */
export const RESOURCES = ['/mcp', '/v1'] as const;
export type Resource = (typeof RESOURCES)[number];

/** Whether a call is refused to an app only because its person granted less than they could. */
export function couldBeGranted({ scope, consent }: Principal, needed: Scope): boolean {
  return consent !== undefined && !includesScope(scope, needed) && includesScope(consent.ceiling, needed);
}
