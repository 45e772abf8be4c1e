import { Controller, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { BudgetKeeper } from '../../platform/rate-limit/budget-keeper.js';
import { API_PATH } from './route.metadata.js';
import { SessionGuard } from './session.guard.js';

/** Runs any operation as the signed-in user: through its own guards, validation, transaction and audit, as the API runs it. */
@Controller(`${API_PATH}/stores/:storeId/operations`)
export class OperationsController {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly budgets: BudgetKeeper,
  ) {}

  @Post(':operation')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  async run(@Req() { call }: Request, @Param('operation') operation: string): Promise<string> {
    // A name that is no operation has no budget of its own; it counts as a read (docs/behaviour.md §1.4).
    if (!this.operations.find(operation)) await this.budgets.spend(call, 'read');
    return this.operations.invoke(operation, call);
  }
}
