import { Global, Module } from '@nestjs/common';
import { SalesPacking } from './sales-packing.service.js';
import { Stores } from './stores.service.js';

@Global()
@Module({ providers: [Stores, SalesPacking], exports: [Stores] })
export class StoresModule {}
