import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Metrics } from './metrics.js';

/**
 * Metrics for Prometheus on the public port, unless METRICS_PORT names another. Keep the path inside your
 * network.
 */
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async read(@Res() response: Response): Promise<void> {
    response.type(this.metrics.contentType).send(await this.metrics.text());
  }
}
