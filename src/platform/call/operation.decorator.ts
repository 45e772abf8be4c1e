import { applyDecorators, HttpCode, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { ScopeGuard } from './scope.guard.js';
import { TokenGuard } from './token.guard.js';
import { BudgetGuard } from './budget.guard.js';
import { OperationInterceptor } from './operation.interceptor.js';
import { describeOperation, type OperationSpec } from './operation.metadata.js';

/** Declares one operation on a controller method `(ctx: StoreContext, input: InputDto)`, which OperationInterceptor calls. */
export function Operation(spec: OperationSpec): MethodDecorator {
  return (target, key, descriptor) => {
    describeOperation(descriptor.value as object, spec);
    applyDecorators(
      Post(spec.name),
      HttpCode(200),
      UseGuards(TokenGuard, BudgetGuard, ScopeGuard),
      UseInterceptors(OperationInterceptor),
    )(target, key, descriptor);
  };
}
