import { Module } from '@nestjs/common';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { SalesReports } from './sales-report.service.js';
import { Visits } from './visits.service.js';

@Module({
  controllers: [AnalyticsController],
  providers: [AnalyticsService, SalesReports, Visits],
  exports: [AnalyticsService, SalesReports, Visits],
})
export class AnalyticsModule {}
