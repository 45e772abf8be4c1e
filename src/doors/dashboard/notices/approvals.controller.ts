import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { ApprovalRecord, DecidedApproval } from '../../../groups/activity/approvals/approvals.dto.js';
import { ApprovalsService } from '../../../groups/activity/approvals/approvals.service.js';
import { IdInput } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const PATH = 'stores/:storeId/approvals';

/** What agents want to do and a person has to approve. */
@Controller(API_PATH)
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    groups: 'every',
    summary: 'List what apps wait for a person to approve, and what was decided in the last day',
    output: ApprovalRecord,
    list: true,
  })
  list(ctx: StoreContext) {
    return this.approvals.list(ctx);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/:id/apply`,
    groups: 'every',
    summary: 'Make a change that an app waits for, as the person who approves it',
    input: IdInput,
    output: DecidedApproval,
    audited: 'approval.apply',
  })
  apply(ctx: StoreContext, { id }: IdInput) {
    return this.approvals.apply(ctx, id);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/:id/decline`,
    groups: 'every',
    summary: 'Decline a change that an app waits for',
    input: IdInput,
    output: DecidedApproval,
    audited: 'approval.decline',
  })
  decline(ctx: StoreContext, { id }: IdInput) {
    return this.approvals.decline(ctx, id);
  }
}
