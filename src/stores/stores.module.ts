import { Global, Module } from '@nestjs/common';
import { Pictures } from './pictures/pictures.service.js';
import { SalesPacking } from './sales-packing.service.js';
import { Stores } from './stores.service.js';

@Global()
@Module({ providers: [Pictures, Stores, SalesPacking], exports: [Pictures, Stores] })
export class StoresModule {}
