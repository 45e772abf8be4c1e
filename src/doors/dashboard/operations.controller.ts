import { Controller, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { JSON_TEXT } from '../../platform/call/endpoint.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { SessionGuard } from './session.guard.js';
import { API_PATH } from './dashboard.door.js';

/**
 * Runs any operation as the signed-in user, with the same guards, validation, transaction and audit as in the
 * API.
 */
@Controller(`${API_PATH}/stores/:storeId/operations`)
export class OperationsController {
  constructor(private readonly operations: OperationRegistry) {}

  @Post(':operation')
  @HttpCode(200)
  @JSON_TEXT
  @UseGuards(SessionGuard)
  run(@Req() { call }: Request, @Param('operation') name: string): Promise<string> {
    const operation = this.operations.find(name);
    if (!operation) return this.operations.refuseUnknown(call, `There is no operation ${name.slice(0, 100)}`);
    return this.operations.invoke(operation, call);
  }
}
