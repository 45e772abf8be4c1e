import { All, Controller, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { TokenGuard } from './token.guard.js';
import { BudgetGuard } from './budget.guard.js';
import { OperationError } from '../errors.js';

/** Whatever else is asked of /v1: a name that is no operation, or any method but POST. Its module is imported last. */
@Controller('v1')
export class UnknownOperationController {
  @All(['', '*operation'])
  @UseGuards(TokenGuard, BudgetGuard)
  refuse(@Req() request: Request): never {
    const name = request.path.replace(/^\/v1\/?/, '').slice(0, 100);
    throw new OperationError(
      'unknown_tool',
      `There is no operation ${request.method} ${name || '(none)'}; operations are POST /v1/<operation>`,
    );
  }
}
