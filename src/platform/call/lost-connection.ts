import { isLost, isWorthRepeating } from '../database/connections/connection.js';
import { Interrupted, INTERRUPTED } from '../errors.js';
import type { Call } from '../store/call.js';
import type { StoreContext } from '../store/store-context.js';
import type { Endpoint } from './endpoint.js';

/**
 * Whether a call that lost its connection to the database is carried out once more. That is safe for reads,
 * and for calls whose Idempotency-Key keeps them from taking effect twice.
 */
export function canRepeat(endpoint: Endpoint, call: Call, error: unknown): boolean {
  const isRead = endpoint.scope === 'read' && endpoint.audited === undefined;
  return isWorthRepeating(error) && (isRead || isKeyed(endpoint, call));
}

/**
 * The error for the caller of a failed call. After a lost connection it says whether the call can be sent
 * again.
 */
export function afterLoss(
  endpoint: Endpoint,
  call: Call,
  { session }: StoreContext,
  error: unknown,
): unknown {
  if (!isLost(error)) return error;
  if (isKeyed(endpoint, call)) return new Interrupted(INTERRUPTED.keyed, error);
  return new Interrupted(session.mayHaveChanged ? INTERRUPTED.unknown : INTERRUPTED.unchanged, error);
}

function isKeyed({ idempotencyKey }: Endpoint, { headers }: Call): boolean {
  return idempotencyKey !== undefined && headers['idempotency-key'] !== undefined;
}
