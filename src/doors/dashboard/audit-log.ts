import type { Page } from '../../platform/schema/page.js';
import { readPage } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { AuditRecord, ListAuditInput } from './audit.dto.js';
import { LIST_AUDIT } from './audit-log.statements.js';

/** A page of the store's audit rows. */
export function listAudit(ctx: StoreContext, { operation, target, ...page }: ListAuditInput): Promise<Page<AuditRecord>> {
  return readPage(ctx, LIST_AUDIT, page, operation, target);
}
