import { Module } from '@nestjs/common';
import { ActivityController } from './activity.controller.js';
import { ActivityService } from './activity.service.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { UndoService } from './undo.service.js';

@Module({
  controllers: [ActivityController],
  providers: [ActivityService, ApprovalsService, UndoService],
  exports: [ActivityService, ApprovalsService, UndoService],
})
export class ActivityModule {}
