import { Global, Module } from '@nestjs/common';
import { BotClaims } from './bot-claims.service.js';
import { Pictures } from './pictures/pictures.service.js';
import { SalesFolding } from './sales-folding.service.js';
import { Stores } from './stores.service.js';

@Global()
@Module({
  providers: [BotClaims, Pictures, Stores, SalesFolding],
  exports: [BotClaims, Pictures, Stores],
})
export class StoresModule {}
