import { changedFields, withoutSecretKeys } from '../platform/store/audit.js';
import type { StoreContext } from '../platform/store/store-context.js';

/** What another system knows a record by, and keeps with it. */
interface Reference {
  externalId: string | null;
  metadata: object | null;
}

/**
 * Audits what changes of a record's reference, without secrets.
 * @returns the reference as it will be, and whether anything changes
 */
export function changeReference(
  ctx: StoreContext,
  { externalId, metadata }: Reference,
  given: Partial<Reference>,
): { reference: Reference; isChanged: boolean } {
  const before = { externalId, metadata };
  const changes = changedFields(before, given);
  ctx.audit.changes = withoutSecretKeys(changes) as typeof changes;
  return { reference: { ...before, ...given }, isChanged: Object.keys(changes).length > 0 };
}
