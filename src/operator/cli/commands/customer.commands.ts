import { eraseCustomer } from '../../../groups/customers/erasing/erase-customer.js';
import { type Commands, text } from '../command.js';
import { inStore } from '../in-store.js';

export const COMMANDS = {
  'customer erase': {
    recorded: ({ store }, { customerId, orders }: { customerId: string; orders: number }) => ({
      target: `customer:${customerId}`,
      details: { store, orders },
    }),
    run: (call) => inStore(call, 'customer.erase', (ctx) => eraseCustomer(ctx, text(call.options.customer))),
  },
} satisfies Commands;
