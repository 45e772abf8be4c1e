import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Documents } from './documents.service.js';
import { OpenApiController } from './openapi.controller.js';
import { PostmanController } from './postman.controller.js';

@Module({
  imports: [DiscoveryModule],
  controllers: [OpenApiController, PostmanController],
  providers: [Documents],
})
export class OpenApiModule {}
