import { Module } from '@nestjs/common';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { Visits } from './visits.service.js';

@Module({
  controllers: [AnalyticsController],
  providers: [AnalyticsService, Visits],
  exports: [AnalyticsService, Visits],
})
export class AnalyticsModule {}
