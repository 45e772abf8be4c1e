import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ChangelogController } from './changelog.controller.js';
import { Documents } from './documents.service.js';
import { OpenApiController } from './openapi.controller.js';
import { PostmanController } from './postman.controller.js';

@Module({
  imports: [DiscoveryModule],
  controllers: [ChangelogController, OpenApiController, PostmanController],
  providers: [Documents],
})
export class OpenApiModule {}
