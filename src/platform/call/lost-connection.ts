import { isDeadlock, isFull, isLost, isWorthRepeating } from '../database/connections/connection.js';
import { Unavailable, WHILE_AWAY } from '../errors.js';
import type { Call } from '../store/call.js';
import type { Endpoint } from './endpoint.js';

/**
 * Whether a call that lost its connection to the database, or a deadlock, is carried out once more. After a
 * lost connection that is safe for reads, and for calls whose Idempotency-Key keeps them from taking effect
 * twice; after a deadlock for calls that have committed nothing.
 */
export function canRepeat(
  endpoint: Endpoint,
  call: Call,
  session: { mayHaveChanged: boolean },
  error: unknown,
): boolean {
  if (isDeadlock(error)) return !session.mayHaveChanged;
  const isRead = endpoint.scope === 'read' && endpoint.audited === undefined;
  return isWorthRepeating(error) && (isRead || isKeyed(endpoint, call));
}

/**
 * What every door answers if the database was away, or its disk full; null for any other error.
 * @param session of the call; without one, whether something was changed is not said
 * @param hasKey whether an Idempotency-Key keeps the call from taking effect twice
 */
export function unavailable(
  error: unknown,
  session?: { mayHaveChanged: boolean },
  hasKey = false,
): Unavailable | null {
  if (error instanceof Unavailable) return error;
  if (!isLost(error) && !isFull(error)) return null;
  if (hasKey) return new Unavailable(WHILE_AWAY.keyed, error);
  if (!session) return new Unavailable(WHILE_AWAY.plain, error);
  return new Unavailable(session.mayHaveChanged ? WHILE_AWAY.unknown : WHILE_AWAY.unchanged, error);
}

export function isKeyed({ idempotencyKey }: Endpoint, { headers, key }: Call): boolean {
  return idempotencyKey !== undefined && (headers['idempotency-key'] ?? key) !== undefined;
}
