import { Injectable } from '@nestjs/common';
import { includesScope, mayCall } from '../../access/rights.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import type { Page } from '../../platform/schema/pages/page.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Previews, type Preview, warningsIn } from '../../platform/call/previews/previews.service.js';
import { labelled } from '../record-labels.js';
import type { ListActivityInput, PreviewChangeInput, PreviewRecord } from './activity.dto.js';
import type { ActorRecord, AuditRecord, ListAuditInput } from './audit.dto.js';
import { SAVE_SHOWN, type Shown } from './approvals/approvals.statements.js';
import { listActors, listAudit } from './audit-log.js';
import { messageRows } from './words/message-rows.js';
import { readableRows } from './words/readable-changes.js';
import { type Declared, declaredIn } from './words/said-values.js';

type Previewed = Pick<Preview, 'operation' | 'changes' | 'answer'>;

/** The audit log as far as a caller may see it (docs/behaviour.md §13.9). */
@Injectable()
export class ActivityService {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly previews: Previews,
  ) {}

  /** What a call would change, also in words (docs/behaviour.md §13.10). */
  async preview(ctx: StoreContext, { operation, input }: PreviewChangeInput): Promise<PreviewRecord> {
    const preview = await this.previews.preview(ctx, operation, input);
    const rows = await this.rows(ctx, preview, input);
    const question = ctx.call!.approval?.question;
    if (question !== undefined) {
      const warnings = warningsIn(preview.answer);
      const shown: Shown = { question, rows, warnings, by: ctx.actor.name };
      ctx.session.enqueue(SAVE_SHOWN, { id: preview.previewId, shown: JSON.stringify(shown) });
    }
    return { ...preview, changes: await labelled(ctx, preview.changes), rows };
  }

  /** What a person reads before agreeing to a call with this input. */
  async rows(ctx: StoreContext, { operation, changes, answer }: Previewed, input: object) {
    const messages = messageRows(operation, input, answer);
    return messages ?? readableRows(ctx, changes, this.declaredFor(operation));
  }

  /** The fields of an operation, of what it answers, and of the other operations of its group. */
  private declaredFor(name: string): Declared {
    const group = this.operations.groupOf(name);
    const own = this.operations.find(name)!;
    const near = this.operations.list().filter((other) => this.operations.groupOf(other.name) === group);
    return declaredIn(...[own, ...near].flatMap(({ output, input }) => [output, input]));
  }

  /** Rows of callers with less than scope admin are their own; nobody sees more than they may call. */
  list(ctx: StoreContext, { mine, ...filter }: ListActivityInput): Promise<Page<AuditRecord>> {
    const actorId = mine === true ? idOf(ctx) : this.onlyActor(ctx);
    return this.labelledPage(ctx, { ...filter, actorId });
  }

  /** The same rows, with the filters of the page. */
  async page(ctx: StoreContext, input: ListAuditInput): Promise<Page<AuditRecord>> {
    const only = this.onlyActor(ctx);
    const actorId = input.actorId ?? only;
    if (only !== undefined && actorId !== only) return { items: [], nextCursor: null };
    return this.labelledPage(ctx, { ...input, actorId });
  }

  private async labelledPage(ctx: StoreContext, input: ListAuditInput): Promise<Page<AuditRecord>> {
    const page = await listAudit(ctx, input, this.visibleTo(ctx));
    return { ...page, items: await labelled(ctx, page.items) };
  }

  /** The actors whose rows the caller may see. */
  async actors(ctx: StoreContext): Promise<ActorRecord[]> {
    const only = this.onlyActor(ctx);
    const actors = await listActors(ctx);
    return only === undefined ? actors : actors.filter(({ id }) => id === only);
  }

  /** Undefined for a caller who may see the rows of others too. */
  private onlyActor(ctx: StoreContext): string | undefined {
    return includesScope(ctx.call!.auth.principal!.scope, 'admin') ? undefined : idOf(ctx);
  }

  /** Null for a caller who may call everything, and so sees what else is audited too. */
  private visibleTo(ctx: StoreContext): string[] | null {
    const principal = ctx.call!.auth.principal!;
    const all = this.operations.list();
    const callable = all.filter(({ name }) => mayCall(principal, this.operations.neededFor(name)));
    return callable.length === all.length ? null : callable.map(({ name }) => name);
  }
}

const idOf = ({ actor }: StoreContext) => actor.id ?? actor.name;
