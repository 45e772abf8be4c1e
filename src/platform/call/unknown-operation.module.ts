import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { Preflight } from './cors.js';
import { OPERATIONS } from './endpoint.js';
import { UnknownOperationController } from './unknown-operation.controller.js';

@Module({ controllers: [UnknownOperationController] })
export class UnknownOperationModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const path = `${OPERATIONS.prefix}/*operation`;
    consumer.apply(Preflight).forRoutes({ path, method: RequestMethod.OPTIONS });
  }
}
