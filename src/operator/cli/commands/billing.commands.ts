import { Invoices } from '../../../groups/billing/invoices.service.js';
import { InvoiceRecord } from '../../../groups/billing/billing.dto.js';
import { Subscriptions } from '../../../groups/billing/subscriptions.service.js';
import { present } from '../../../platform/schema/present.js';
import { type Commands, optionalText, STORE, text } from '../command.js';
import { inStore } from '../in-store.js';

export const COMMANDS: Commands = {
  'billing plan': {
    summary: 'Put the store on a plan, at once.',
    options: [STORE, { name: 'plan', value: 'CODE', required: true }],
    run: (call) =>
      inStore(call, 'billing.plan', async (ctx) => ({
        id: ctx.storeId,
        ...(await call.app.get(Subscriptions).change(ctx, text(call.options.plan))),
      })),
  },
  'billing issue': {
    summary:
      'Issue the invoice of the period that contains the day (default: that ended last), or print it again.',
    options: [STORE, { name: 'period', value: 'YYYY-MM-DD' }],
    run: (call) =>
      inStore(call, 'billing.issue', async (ctx) =>
        present(InvoiceRecord, await call.app.get(Invoices).issue(ctx, optionalText(call.options.period))),
      ),
  },
  'billing pay': {
    summary: 'Record the payment of an invoice.',
    options: [STORE, { name: 'number', value: 'N', required: true }],
    run: (call) =>
      inStore(call, 'billing.pay', async (ctx) =>
        present(InvoiceRecord, await call.app.get(Invoices).pay(ctx, text(call.options.number))),
      ),
  },
};
