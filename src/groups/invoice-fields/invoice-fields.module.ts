import { Module } from '@nestjs/common';
import { InvoiceFieldsController } from './invoice-fields.controller.js';
import { InvoiceFields } from './invoice-fields.service.js';

@Module({
  controllers: [InvoiceFieldsController],
  providers: [InvoiceFields],
  exports: [InvoiceFields],
})
export class InvoiceFieldsModule {}
