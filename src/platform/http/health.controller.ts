import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Readiness, type ReadinessReport } from './readiness.js';

/** Probes (docs/behaviour.md §9). They speak their own format, not the envelope. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    response.status(report.status === 'ok' ? 200 : 503);
    return report;
  }
}
