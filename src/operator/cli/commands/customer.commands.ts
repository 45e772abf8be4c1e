import { CustomerErasure } from '../../../groups/customers/erasing/customer-erasure.service.js';
import { type Commands, STORE, text } from '../command.js';
import { inStore } from '../in-store.js';

export const COMMANDS: Commands = {
  'customer erase': {
    summary:
      'Remove everything that identifies a customer from the stored data; orders, amounts and bonus stay.',
    options: [STORE, { name: 'customer', value: 'ID', required: true }],
    recorded: ({ store }, { customerId, orders }: { customerId: string; orders: number }) => ({
      target: `customer:${customerId}`,
      details: { store, orders },
    }),
    run: (call) =>
      inStore(call, 'customer.erase', (ctx) =>
        call.app.get(CustomerErasure).erase(ctx, text(call.options.customer)),
      ),
  },
};
