import { Module } from '@nestjs/common';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { Figures } from './figures.service.js';
import { SalesReports } from './sales-report.service.js';
import { Visits } from './visits.service.js';

@Module({
  controllers: [AnalyticsController],
  providers: [AnalyticsService, Figures, SalesReports, Visits],
  exports: [AnalyticsService, Figures, SalesReports, Visits],
})
export class AnalyticsModule {}
