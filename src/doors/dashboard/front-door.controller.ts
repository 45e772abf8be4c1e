import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OperationError } from '../../platform/errors.js';
import { CONFIG, type Config } from '../../platform/config/config.js';

/** The bare address: a browser is led to the dashboard, a program is answered as anywhere else that nothing is there. */
@Controller()
export class FrontDoorController {
  private readonly dashboard: string;

  constructor(@Inject(CONFIG) { baseUrl }: Config) {
    this.dashboard = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/dashboard`;
  }

  @Get()
  lead(@Req() request: Request, @Res() response: Response): void {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') throw new OperationError('not_found', 'There is nothing at this path');
    response.redirect(302, this.dashboard);
  }
}
