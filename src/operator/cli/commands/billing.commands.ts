import { Invoices } from '../../../groups/billing/invoices.service.js';
import { BillingModule } from '../../../groups/billing/billing.module.js';
import { InvoiceRecord } from '../../../groups/billing/billing.dto.js';
import { Subscriptions } from '../../../groups/billing/subscriptions.service.js';
import { present } from '../../../platform/schema/present.js';
import { type Commands, optionalText, text } from '../command.js';
import { inStore } from '../in-store.js';

export const COMMANDS = {
  'billing plan': {
    modules: [BillingModule],
    run: (call) =>
      inStore(call, 'billing.plan', async (ctx) => ({
        id: ctx.storeId,
        ...(await call.app.get(Subscriptions).change(ctx, text(call.options.plan))),
      })),
  },
  'billing issue': {
    modules: [BillingModule],
    run: (call) =>
      inStore(call, 'billing.issue', async (ctx) =>
        present(InvoiceRecord, await call.app.get(Invoices).issue(ctx, optionalText(call.options.period))),
      ),
  },
  'billing pay': {
    modules: [BillingModule],
    run: (call) =>
      inStore(call, 'billing.pay', async (ctx) =>
        present(InvoiceRecord, await call.app.get(Invoices).pay(ctx, text(call.options.number))),
      ),
  },
} satisfies Commands;
