import { includesScope, type Scope } from '../../access/rights.js';

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
  /** Null if the caller may do nothing: a member whose role is unknown. */
  scope: Scope | null;
  actor: Actor;
  /** Calls with the same key share the budgets of docs/behaviour.md §2.3. */
  budgetKey: string;
  /**
   * For an app that a person connected: the highest scope that the person could grant now, the resource of
   * the token, and the query of the address that the app calls it by.
   */
  consent?: { ceiling: Scope | null; resource: Resource; query?: string };
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
