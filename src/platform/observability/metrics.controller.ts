import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OperationError } from '../errors.js';
import { isInside } from '../text/network.js';
import { Metrics } from './metrics.js';

/**
 * Metrics for Prometheus on the public port, unless METRICS_PORT names another. They are refused to whoever
 * comes from outside, also through a proxy, since they tell how much the service has to do.
 */
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    const forwarded = request.headers['x-forwarded-for'];
    const passed = [request.socket.remoteAddress ?? '', ...(forwarded ? String(forwarded).split(',') : [])];
    if (!passed.every(isInside))
      throw new OperationError(
        'forbidden',
        '/metrics is only for callers inside the network of the service; METRICS_PORT gives it its own port',
      );
    response.type(this.metrics.contentType).send(await this.metrics.text());
  }
}
