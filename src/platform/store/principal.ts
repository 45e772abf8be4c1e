import { type Groups, includesPlace, includesScope, type Place, type Scope } from '../../access/rights.js';

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
  /** To what the caller is narrowed; null or absent: every group (docs/behaviour.md §2.4). */
  groups?: Groups;
  actor: Actor;
  /** Calls with the same key share the budgets of docs/behaviour.md §2.3. */
  budgetKey: string;
  /**
   * For an app that a person connected: the highest scope and the groups that the person could grant now, the
   * resource of the token, and the query of the address that the app calls it by.
   */
  consent?: { ceiling: Scope | null; groups: Groups; resource: Resource; query?: string };
  /** Why this caller may not call anything (403), although it has been identified. */
  barred?: string;
}

/**
 * The paths below BASE_URL that an app's token can be for. Each token is for one of them (docs/behaviour.md
 * §15).
 */
export const RESOURCES = ['/mcp', '/v1'] as const;
export type Resource = (typeof RESOURCES)[number];

/** What a call needs: a scope, and a group that includes its name. */
export interface Needed extends Place {
  scope: Scope;
}

/** Whether the caller's groups include the place, and for an app also those of the person who let it in. */
export const isWithin = ({ groups = null, consent }: Principal, place: Place): boolean =>
  (groups === null || includesPlace(groups, place)) &&
  (consent === undefined || consent.groups === null || includesPlace(consent.groups, place));

export const mayCall = (principal: Principal, needed: Needed): boolean =>
  includesScope(principal.scope, needed.scope) && isWithin(principal, needed);

/** Whether the person who let the app in could grant this. For any other caller, whether it may call it. */
export const couldHave = (principal: Principal, needed: Needed): boolean => {
  const { consent } = principal;
  if (!consent) return mayCall(principal, needed);
  return includesScope(consent.ceiling, needed.scope) && includesPlace(consent.groups, needed);
};

/** Whether an app's call is refused only because the person granted less than they could have. */
export const couldBeGranted = (principal: Principal, needed: Needed): boolean =>
  principal.consent !== undefined && !mayCall(principal, needed) && couldHave(principal, needed);
