import { Module } from '@nestjs/common';
import { FirstContact } from './first-contact.service.js';

@Module({ providers: [FirstContact], exports: [FirstContact] })
export class CustomersModule {}
