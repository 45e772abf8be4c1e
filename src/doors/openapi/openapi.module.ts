import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Documents } from './documents.service.js';
import { OpenApiController } from './openapi.controller.js';

@Module({ imports: [DiscoveryModule], controllers: [OpenApiController], providers: [Documents] })
export class OpenApiModule {}
