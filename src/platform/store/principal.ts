import type { Rights } from '../../access/rights.js';
import { forbidden, JUST_MOVED, MOVED_TO, type OperationError, Unavailable } from '../errors.js';

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
  consent?: Rights['consent'] & {
    address: string;
    resource: Resource;
    query?: string;
    limits?: DailyLimits | null;
  };
  /** Why this caller may not call anything, although it has been identified. */
  barred?: OperationError;
}

/** A balancer has heard of the move by then. */
const JUST_MS = 10_000;

/**
 * @param store its reason is null if it is not suspended
 * @returns what bars its callers: 403, and for a moment after a move 503, since the next call is for the
 * installation where the store is now
 */
export function suspension(store: {
  suspendedAt: Date | null;
  suspendedReason: string | null;
}): OperationError | undefined {
  const { suspendedAt, suspendedReason: reason } = store;
  if (reason === null) return undefined;
  if (reason.startsWith(MOVED_TO) && Date.now() - suspendedAt!.getTime() < JUST_MS)
    return new Unavailable(JUST_MOVED, null);
  return forbidden(`This store is suspended: ${reason}`);
}

/**
 * The paths below BASE_URL that an app's token can be for. Each token is for one of them (docs/behaviour.md
 * §15).
 */
export const RESOURCES = ['/mcp', '/v1'] as const;
export type Resource = (typeof RESOURCES)[number];
