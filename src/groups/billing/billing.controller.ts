import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { NoInput, PageInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BillingStatus, InvoiceRecord } from './billing.dto.js';
import { BillingService } from './billing.service.js';
import { Invoices } from './invoices.service.js';

@Controller('v1')
export class BillingController {
  constructor(
    private readonly billing: BillingService,
    private readonly invoices: Invoices,
  ) {}

  @Operation({
    name: 'get_billing_status',
    scope: 'read',
    summary: 'Get the billing status',
    description:
      "Get the store's own subscription: plan, features, contacts, and what the current period costs " +
      '(major units).',
    input: NoInput,
    output: BillingStatus,
  })
  status(ctx: StoreContext) {
    return this.billing.status(ctx);
  }

  @Operation({
    name: 'list_invoices',
    scope: 'read',
    summary: 'List invoices',
    description: "List the invoices of the store's own subscription, newest first (major units).",
    input: PageInput,
    output: InvoiceRecord,
    list: true,
  })
  list(ctx: StoreContext, input: PageInput) {
    return this.invoices.list(ctx, input);
  }
}
