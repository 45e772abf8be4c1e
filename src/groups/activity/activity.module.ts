import { Module } from '@nestjs/common';
import { ActivityController } from './activity.controller.js';
import { ActivityService } from './activity.service.js';
import { UndoService } from './undo.service.js';

@Module({
  controllers: [ActivityController],
  providers: [ActivityService, UndoService],
  exports: [ActivityService, UndoService],
})
export class ActivityModule {}
