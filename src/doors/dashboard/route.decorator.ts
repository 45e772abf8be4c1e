import 'reflect-metadata';
import {
  applyDecorators,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Post,
  Put,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Request } from 'express';
import type { DtoClass } from '../../platform/schema/fields.js';
import { validateInput } from '../../platform/schema/validate.js';
import { callOf } from '../../platform/call/operation.metadata.js';
import { NoInput } from '../../platform/schema/page.dto.js';
import { requestInput } from '../../platform/http/request-input.js';
import { RouteInterceptor } from './route.interceptor.js';
import { describeRoute, type RouteSpec } from './route.metadata.js';
import { SessionGuard } from './session.guard.js';

const VERBS = { GET: Get, POST: Post, PUT: Put, DELETE: Delete };

/** The first argument: the store's context under stores/{storeId}, else who calls. */
const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<Request>();
  return request.call.context ?? request.caller;
});

/** The second: the checked input, from path, query and body together. */
const Input = createParamDecorator((type: DtoClass, context: ExecutionContext) => {
  const call = callOf(context);
  call.input = validateInput(type, requestInput(type, context.switchToHttp().getRequest<Request>()));
  return call.input;
});

/**
 * Declares one page of the dashboard on a controller method `(ctx: StoreContext, input)`, or `(caller: Caller, input)` outside a
 * store. The route, who may call it, validation, the audit row and the OpenAPI document all come from the spec.
 */
export function Route(spec: RouteSpec): MethodDecorator {
  return (target, key, descriptor) => {
    Caller()(target, key, 0);
    Input(spec.input ?? NoInput)(target, key, 1);
    describeRoute(descriptor.value as object, spec);
    applyDecorators(
      VERBS[spec.method](spec.path),
      HttpCode(200),
      UseGuards(SessionGuard),
      UseInterceptors(RouteInterceptor),
    )(target, key, descriptor);
  };
}
