import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ScopeGuard } from '../auth/scope.guard.js';
import { TokenGuard } from '../auth/token.guard.js';
import { BudgetGuard } from '../rate-limit/budget.guard.js';
import { OperationInterceptor } from './operation.interceptor.js';
import { callOf, describeOperation, type OperationSpec } from './operation.metadata.js';

/** Gives the handler its store context as the first argument. */
const Context = createParamDecorator((_: unknown, context: ExecutionContext) => callOf(context).context);
/** Gives the handler its input, which the interceptor has checked, as the second. */
const Input = createParamDecorator((_: unknown, context: ExecutionContext) => callOf(context).input);

/** Declares one operation on a controller method `(ctx: StoreContext, input: InputDto)`. */
export function Operation(spec: OperationSpec): MethodDecorator {
  return (target, key, descriptor) => {
    Context()(target, key, 0);
    Input()(target, key, 1);
    describeOperation(descriptor.value as object, spec);
    applyDecorators(
      Post(spec.name),
      HttpCode(200),
      UseGuards(TokenGuard, BudgetGuard, ScopeGuard),
      UseInterceptors(OperationInterceptor),
    )(target, key, descriptor);
  };
}
