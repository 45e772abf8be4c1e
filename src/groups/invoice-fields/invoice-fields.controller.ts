import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { NoInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  InvoiceFieldConfigRecord,
  UpdatedInvoiceFieldConfig,
  UpdateInvoiceFieldConfigInput,
} from './invoice-fields.dto.js';
import { InvoiceFields } from './invoice-fields.service.js';

@Controller('v1')
export class InvoiceFieldsController {
  constructor(private readonly invoiceFields: InvoiceFields) {}

  @Operation({
    name: 'get_invoice_field_config',
    scope: 'read',
    summary: 'Get the invoice field configuration',
    description: 'Get which buyer details native payments collect, and the tips (minor units).',
    input: NoInput,
    output: InvoiceFieldConfigRecord,
  })
  get(ctx: StoreContext) {
    return this.invoiceFields.get(ctx);
  }

  @Operation({
    name: 'update_invoice_field_config',
    scope: 'write',
    summary: 'Update the invoice field configuration',
    description: 'Change which buyer details native payments collect, or the tips.',
    input: UpdateInvoiceFieldConfigInput,
    output: UpdatedInvoiceFieldConfig,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdateInvoiceFieldConfigInput) {
    return this.invoiceFields.update(ctx, input);
  }
}
