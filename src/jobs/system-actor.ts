import { writeAudit } from '../platform/store/audit.js';
import type { StoreContext } from '../platform/store/store-context.js';

/** The actor of changes made by jobs. */
export const SYSTEM = { kind: 'system', id: null, name: 'system' } as const;

/** Writes the audit row of such a change, in its transaction. */
export function auditChange(ctx: StoreContext, operation: string, input: object): void {
  writeAudit(ctx, { ...ctx.audit, operation, transport: 'cli', input, outcome: 'ok' });
}
