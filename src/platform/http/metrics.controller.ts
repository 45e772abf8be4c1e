import { Controller, Get, Inject, Res } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { ReadLanes } from '../database/read-lanes.js';
import { poolOf } from '../database/store-session.js';
import { SystemDatabase } from '../database/system-database.js';
import { Metrics } from './metrics.js';

/** Figures for Prometheus: requests, queue, deliveries, pools. Keep the path inside your network. */
@Controller('metrics')
export class MetricsController {
  constructor(
    @Inject(Metrics) private readonly metrics: Metrics,
    @InjectDataSource() dataSource: DataSource,
    @Inject(SystemDatabase) system: SystemDatabase,
    @Inject(ReadLanes) lanes: ReadLanes,
  ) {
    metrics.gauge('shop_reads_waiting', 'Reads sent to the database and not answered yet', () => lanes.waiting);
    const pools = { store: () => poolOf(dataSource), system: () => system.pool };
    for (const [name, pool] of Object.entries(pools)) {
      metrics.gauge(`shop_pool_${name}_connections`, `Open connections of the ${name} pool`, () => pool().totalCount);
      metrics.gauge(
        `shop_pool_${name}_waiting`,
        `Calls that wait for a connection of the ${name} pool`,
        () => pool().waitingCount,
      );
    }
  }

  @Get()
  async read(@Res() response: Response): Promise<void> {
    response.type(this.metrics.registry.contentType).send(await this.metrics.registry.metrics());
  }
}
