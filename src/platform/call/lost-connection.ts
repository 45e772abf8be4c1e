import { isLost, isWorthRepeating } from '../database/connection.js';
import { Interrupted, INTERRUPTED } from '../errors.js';
import type { Call } from '../store/call.js';
import type { StoreContext } from '../store/store-context.js';
import type { Endpoint } from './endpoint.js';

/**
 * Whether a call whose connection to the database was lost is carried out again, once: what only reads, and what its
 * Idempotency-Key keeps from being done twice.
 */
export function canRepeat(endpoint: Endpoint, call: Call, error: unknown): boolean {
  const isRead = endpoint.scope === 'read' && endpoint.audited === undefined;
  return isWorthRepeating(error) && (isRead || isKeyed(endpoint, call));
}

/** The error that the caller of a failed call gets: after a lost connection whether the call can be sent again. */
export function afterLoss(endpoint: Endpoint, call: Call, { session }: StoreContext, error: unknown): unknown {
  if (!isLost(error)) return error;
  if (isKeyed(endpoint, call)) return new Interrupted(INTERRUPTED.keyed, error);
  return new Interrupted(session.mayHaveChanged ? INTERRUPTED.unknown : INTERRUPTED.unchanged, error);
}

function isKeyed({ idempotencyKey }: Endpoint, { headers }: Call): boolean {
  return idempotencyKey !== undefined && headers['idempotency-key'] !== undefined;
}
