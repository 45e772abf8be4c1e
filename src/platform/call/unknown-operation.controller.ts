import { All, Controller, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { OPERATIONS } from './endpoint.js';
import { OperationRegistry } from './operation.registry.js';

/**
 * Refuses every other request below /v1: an unknown operation, or any method but POST. Its module is imported
 * last.
 */
@Controller(OPERATIONS.prefix)
export class UnknownOperationController {
  constructor(private readonly operations: OperationRegistry) {}

  @All(['', '*operation'])
  @UseGuards(OPERATIONS.guard)
  refuse(@Req() { call, method, path }: Request): Promise<never> {
    const name = path.replace(/^\/v1\/?/, '').slice(0, 100);
    return this.operations.refuseUnknown(
      call,
      `There is no operation ${method} ${name || '(none)'}; operations are POST /v1/<operation>`,
    );
  }
}
