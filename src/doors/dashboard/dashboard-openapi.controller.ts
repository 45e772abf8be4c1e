import { Controller, Get, Inject } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { dashboardDocument } from './dashboard-openapi.document.js';
import { declaredRoutes } from './dashboard-pages.js';

@Controller('dashboard')
export class DashboardOpenApiController {
  private document: string | null = null;

  constructor(
    private readonly operations: OperationRegistry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('openapi.json')
  read(): string {
    this.document ??= JSON.stringify(dashboardDocument(declaredRoutes(), this.operations.list(), this.config.baseUrl));
    return this.document;
  }
}
