import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { callOf } from './operation.metadata.js';
import { OperationError } from '../errors.js';
import { BudgetKeeper } from '../rate-limit/budget-keeper.js';
import type { Call } from '../store/call.js';
import { TokenRegistry } from '../auth/token-registry.js';

/** Finds out who calls: 401 without a valid token. Limits guesses per address (docs/behaviour.md §2.3). */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly tokens: TokenRegistry,
    private readonly budgets: BudgetKeeper,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const call = callOf(context);
    return call.principal !== undefined || this.authenticate(call);
  }

  /** @throws OperationError invalid_token, or rate_limited after too many refused tokens from one address */
  authenticate(call: Call): boolean | Promise<boolean> {
    const [, token] = /^Bearer ([^\s]+)$/i.exec(call.headers.authorization ?? '') ?? [];
    const found = token === undefined ? null : this.tokens.find(token);
    if (found instanceof Promise) return found.then((principal) => (principal ? this.admit(call, principal) : this.refuse(call)));
    return found ? this.admit(call, found) : this.refuse(call);
  }

  private admit(call: Call, principal: NonNullable<Call['principal']>): boolean {
    call.principal = principal;
    return true;
  }

  private async refuse(call: Call): Promise<never> {
    await this.budgets.spendRefusedToken(call);
    throw new OperationError('invalid_token', 'The bearer token is missing, malformed, expired or revoked');
  }
}
