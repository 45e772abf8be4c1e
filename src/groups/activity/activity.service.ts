import { Injectable } from '@nestjs/common';
import { includesScope, mayCall } from '../../access/rights.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import type { Page } from '../../platform/schema/pages/page.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { ListActivityInput } from './activity.dto.js';
import type { ActorRecord, AuditRecord, ListAuditInput } from './audit.dto.js';
import { listActors, listAudit } from './audit-log.js';

/** The audit log as far as a caller may see it (docs/behaviour.md §13.9). */
@Injectable()
export class ActivityService {
  constructor(private readonly operations: OperationRegistry) {}

  /** Rows of callers with less than scope admin are their own; nobody sees more than they may call. */
  list(ctx: StoreContext, { mine, ...filter }: ListActivityInput): Promise<Page<AuditRecord>> {
    const actorId = mine === true ? idOf(ctx) : this.onlyActor(ctx);
    return listAudit(ctx, { ...filter, actorId }, this.visibleTo(ctx));
  }

  /** The same rows, with the filters of the page. */
  async page(ctx: StoreContext, input: ListAuditInput): Promise<Page<AuditRecord>> {
    const only = this.onlyActor(ctx);
    const actorId = input.actorId ?? only;
    if (only !== undefined && actorId !== only) return { items: [], nextCursor: null };
    return listAudit(ctx, { ...input, actorId }, this.visibleTo(ctx));
  }

  /** The actors whose rows the caller may see. */
  async actors(ctx: StoreContext): Promise<ActorRecord[]> {
    const only = this.onlyActor(ctx);
    const actors = await listActors(ctx);
    return only === undefined ? actors : actors.filter(({ id }) => id === only);
  }

  /** Undefined for a caller who may see the rows of others too. */
  private onlyActor(ctx: StoreContext): string | undefined {
    return includesScope(ctx.call!.principal!.scope, 'admin') ? undefined : idOf(ctx);
  }

  /** Null for a caller who may call everything, and so sees what else is audited too. */
  private visibleTo(ctx: StoreContext): string[] | null {
    const principal = ctx.call!.principal!;
    const all = this.operations.list();
    const callable = all.filter(({ name }) => mayCall(principal, this.operations.neededFor(name)));
    return callable.length === all.length ? null : callable.map(({ name }) => name);
  }
}

const idOf = ({ actor }: StoreContext) => actor.id ?? actor.name;
