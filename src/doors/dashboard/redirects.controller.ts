import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OperationError } from '../../platform/errors.js';
import { CONFIG, type Config } from '../../platform/config/config.js';

/**
 * The root address. Browsers are redirected to the dashboard; programs get the same 404 as for any unknown
 * path.
 */
@Controller()
export class FrontDoorController {
  private readonly dashboard: string;

  constructor(@Inject(CONFIG) { baseUrl }: Config) {
    this.dashboard = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/dashboard`;
  }

  @Get()
  lead(@Req() request: Request, @Res() response: Response): void {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html')
      throw new OperationError('not_found', 'There is nothing at this path');
    response.redirect(302, this.dashboard);
  }
}
