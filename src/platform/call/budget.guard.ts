import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { callOf, operationOf } from './operation.metadata.js';
import { BudgetKeeper } from '../rate-limit/budget-keeper.js';

/** 429 for a caller over its budget. Admin operations count as writes; an unknown operation counts as a read. */
@Injectable()
export class BudgetGuard implements CanActivate {
  constructor(private readonly budgets: BudgetKeeper) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const scope = operationOf(context.getHandler())?.scope ?? 'read';
    await this.budgets.spend(callOf(context), scope === 'read' ? 'read' : 'write');
    return true;
  }
}
