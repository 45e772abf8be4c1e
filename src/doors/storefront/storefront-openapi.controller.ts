import { Controller, Get, Inject } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { endpointsOf } from '../../platform/call/endpoint.js';
import { storefrontDocument } from './storefront-openapi.document.js';
import { StorefrontController } from './storefront.controller.js';

@Controller('storefront')
export class StorefrontOpenApiController {
  private document: string | null = null;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get('openapi.json')
  read(): string {
    this.document ??= JSON.stringify(storefrontDocument(endpointsOf(StorefrontController), this.config.baseUrl));
    return this.document;
  }
}
