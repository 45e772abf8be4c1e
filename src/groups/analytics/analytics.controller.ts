import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Analytics, GetAnalyticsInput } from './analytics.dto.js';
import { AnalyticsService } from './analytics.service.js';
import { GetSalesReportInput, SalesReport } from './sales-report.dto.js';
import { SalesReports } from './sales-report.service.js';

@Controller('v1')
export class AnalyticsController {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly reports: SalesReports,
  ) {}

  @Operation({
    name: 'get_analytics',
    scope: 'read',
    summary: 'Get analytics',
    description:
      'Get revenue, average order value (both minor units), orders by status, visitors, top products and a ' +
      'daily series of the last 7, 30 or 90 days.',
    input: GetAnalyticsInput,
    output: Analytics,
  })
  get(ctx: StoreContext, input: GetAnalyticsInput) {
    return this.analytics.get(ctx, input);
  }

  @Operation({
    name: 'get_sales_report',
    scope: 'read',
    summary: 'Get a sales report',
    description:
      'Add up the orders created in a window, by time, goods, payment or customer; compare with an earlier ' +
      'one. Rows make the total. Minor units.',
    input: GetSalesReportInput,
    output: SalesReport,
    beyond: true,
  })
  getSalesReport(ctx: StoreContext, input: GetSalesReportInput) {
    return this.reports.get(ctx, input);
  }
}
