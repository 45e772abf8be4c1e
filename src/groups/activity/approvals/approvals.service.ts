import { Injectable } from '@nestjs/common';
import { mayCall } from '../../../access/rights.js';
import { OperationRegistry } from '../../../platform/call/operation.registry.js';
import { Previews } from '../../../platform/call/previews/previews.service.js';
import type { Page } from '../../../platform/schema/pages/page.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { ApprovalRecord, DecidedApproval } from './approvals.dto.js';
import { LIST_APPROVALS } from './approvals.statements.js';

/** What agents want to do that asks a person first, and what became of it (docs/behaviour.md §8). */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly previews: Previews,
  ) {}

  /** Those that the caller could make themselves. */
  async list(ctx: StoreContext): Promise<Page<ApprovalRecord>> {
    const rows = await ctx.session.read(LIST_APPROVALS, { now: ctx.now() });
    const principal = ctx.call!.auth.principal!;
    const items = rows
      .filter(({ operation }) => mayCall(principal, this.operations.neededFor(operation)))
      .map(({ shown, ...row }) => ({ ...row, ...shown }));
    return { items, nextCursor: null };
  }

  /** Makes the change, as the person who approves it. */
  async apply(ctx: StoreContext, id: string): Promise<DecidedApproval> {
    await this.previews.approve(ctx, id);
    return { id, state: 'applied' };
  }

  async decline(ctx: StoreContext, id: string): Promise<DecidedApproval> {
    const { operation } = await this.previews.decide(ctx, id, 'declined');
    ctx.audit.changes = { operation: [operation.name, null] };
    return { id, state: 'declined' };
  }
}
