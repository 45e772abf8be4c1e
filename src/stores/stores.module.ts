import { Global, Module } from '@nestjs/common';
import { Stores } from './stores.service.js';

@Global()
@Module({ providers: [Stores], exports: [Stores] })
export class StoresModule {}
