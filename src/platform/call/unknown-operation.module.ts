import { Module } from '@nestjs/common';
import { UnknownOperationController } from './unknown-operation.controller.js';

@Module({ controllers: [UnknownOperationController] })
export class UnknownOperationModule {}
