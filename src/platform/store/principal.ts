import type { Rights } from '../../access/rights.js';

/** Somebody who changed something, as the audit shows them. */
export interface Actor {
  kind: 'token' | 'user' | 'shopper' | 'system' | 'client';
  id: string | null;
  name: string;
}

/** What a person lets an app give out in a day of the store's time zone; null is no limit. */
export interface DailyLimits {
  messages: number | null;
  /** In major units. */
  bonus: number | null;
  /** In minor units. */
  refunds: number | null;
}

/** The caller, bound to one store. */
export interface Principal extends Rights {
  storeId: string;
  /** The store's currency code; it never changes. */
  currency: string;
  actor: Actor;
  /** Calls with the same key share the budgets of docs/behaviour.md §2.3. */
  budgetKey: string;
  /** With the resource of the app's token, and the query of the address that the app calls it by. */
  consent?: Rights['consent'] & { resource: Resource; query?: string; limits?: DailyLimits | null };
  /** Why this caller may not call anything (403), although it has been identified. */
  barred?: string;
}

/** @param reason why the store is suspended; null if it is not @returns what bars its callers */
export const suspension = (reason: string | null): string | undefined =>
  reason === null ? undefined : `This store is suspended: ${reason}`;

/**
 * The paths below BASE_URL that an app's token can be for. Each token is for one of them (docs/behaviour.md
 * §15).
 */
export const RESOURCES = ['/mcp', '/v1'] as const;
export type Resource = (typeof RESOURCES)[number];
