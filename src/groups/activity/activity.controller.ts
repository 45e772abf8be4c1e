import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/operation.decorator.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { ListActivityInput } from './activity.dto.js';
import { ActivityService } from './activity.service.js';
import { AuditRecord } from './audit.dto.js';

@Controller('v1')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Operation({
    name: 'list_activity',
    scope: 'read',
    summary: 'List what was done',
    description:
      'List changes and refused changes, newest first, each with what it changed as [before, after]. Below ' +
      'scope admin only your own.',
    input: ListActivityInput,
    output: AuditRecord,
    list: true,
    beyond: true,
  })
  list(ctx: StoreContext, input: ListActivityInput) {
    return this.activity.list(ctx, input);
  }
}
