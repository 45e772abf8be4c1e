import { Injectable } from '@nestjs/common';
import { includesScope, mayCall } from '../../access/rights.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import type { Page } from '../../platform/schema/pages/page.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { ListActivityInput } from './activity.dto.js';
import type { AuditRecord } from './audit.dto.js';
import { listAudit } from './audit-log.js';

/** The audit log as far as a caller may see it (docs/behaviour.md §13.9). */
@Injectable()
export class ActivityService {
  constructor(private readonly operations: OperationRegistry) {}

  /** Rows of callers with less than scope admin are their own; nobody sees more than they may call. */
  list(ctx: StoreContext, { mine, ...filter }: ListActivityInput): Promise<Page<AuditRecord>> {
    const { scope } = ctx.call!.principal!;
    const isOwn = mine === true || !includesScope(scope, 'admin');
    const actorId = isOwn ? (ctx.actor.id ?? ctx.actor.name) : undefined;
    return listAudit(ctx, { ...filter, actorId }, this.visibleTo(ctx));
  }

  /** Null for a caller who may call everything, and so sees what else is audited too. */
  private visibleTo(ctx: StoreContext): string[] | null {
    const principal = ctx.call!.principal!;
    const all = this.operations.list();
    const callable = all.filter(({ name }) => mayCall(principal, this.operations.neededFor(name)));
    return callable.length === all.length ? null : callable.map(({ name }) => name);
  }
}
