export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** admin includes write, and write includes read (docs/behaviour.md §2.2). */
export function includesScope(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** Who changed something, as the audit shows it. */
export interface Actor {
  kind: 'token' | 'user' | 'shopper' | 'system';
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
}
