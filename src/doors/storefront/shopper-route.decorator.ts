import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  Get,
  HttpCode,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Request } from 'express';
import type { DtoClass } from '../../platform/schema/fields.js';
import { validateInput } from '../../platform/schema/validate.js';
import { requestInput } from '../../platform/http/request-input.js';
import { callOf } from '../../platform/call/operation.metadata.js';
import { NoInput } from '../../platform/schema/page.dto.js';
import { ShopperGuard } from './shopper.guard.js';
import { ShopperInterceptor } from './shopper.interceptor.js';
import { describeShopperRoute, type ShopperRouteSpec } from './shopper-route.metadata.js';

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<Request>();

const Context = createParamDecorator((_: unknown, context: ExecutionContext) => callOf(context).context);
const Input = createParamDecorator((type: DtoClass, context: ExecutionContext) => {
  const request = requestOf(context);
  request.call.input = validateInput(type, requestInput(type, request));
  return request.call.input;
});
const Visitor = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).visitor);

/**
 * Declares one route of the storefront on a controller method `(ctx: StoreContext, input, visitor: Visitor)`. The path, who may
 * call it, its budget, validation and the OpenAPI document all come from the spec.
 */
export function ShopperRoute(spec: ShopperRouteSpec): MethodDecorator {
  return (target, key, descriptor) => {
    Context()(target, key, 0);
    Input(spec.input ?? NoInput)(target, key, 1);
    Visitor()(target, key, 2);
    describeShopperRoute(descriptor.value as object, spec);
    applyDecorators(
      spec.method === 'GET' ? Get(spec.path) : Post(spec.path),
      HttpCode(200),
      UseGuards(ShopperGuard),
      UseInterceptors(ShopperInterceptor),
    )(target, key, descriptor);
  };
}
