export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** admin includes write, and write includes read (docs/behaviour.md §2.2). */
export function includesScope(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** The scopes that include the given one. */
export const scopesWith = (needed: Scope): readonly Scope[] =>
  SCOPES.filter((held) => includesScope(held, needed));

/** Somebody who changed something, as the audit shows them. */
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
  /**
   * For an app that a person connected: the highest scope that the person could grant now, the resource of
   * the token, and the query of the address that the app calls it by.
   */
  consent?: { ceiling: Scope; resource: Resource; query?: string };
  /** Why this caller may not call anything (403), although it has been identified. */
  barred?: string;
}

/**
 * The paths below BASE_URL that an app's token can be for. Each token is for one of them (docs/behaviour.md
 * §15).
 */
export const RESOURCES = ['/mcp', '/v1'] as const;
export type Resource = (typeof RESOURCES)[number];

/** Whether an app's call is refused only because the person granted less than they could have. */
export function couldBeGranted({ scope, consent }: Principal, needed: Scope): boolean {
  return consent !== undefined && !includesScope(scope, needed) && includesScope(consent.ceiling, needed);
}
