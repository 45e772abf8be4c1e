import { Stores } from '../../stores/stores.service.js';
import { type Commands, optionalText, text } from './command.js';
import { auditIn } from './in-store.js';

export const COMMANDS: Commands = {
  'store create': {
    summary: 'Make a store and its owner. An address that has an account gets an invitation, a link that works once, to hand on.',
    options: [
      { name: 'name', value: 'N', required: true },
      { name: 'currency', value: 'USD', required: true },
      { name: 'owner-email', value: 'E', required: true },
      { name: 'owner-password', value: 'P' },
      { name: 'plan', value: 'CODE' },
    ],
    async run({ app, options }) {
      const { createdAt: _, ...created } = await app.get(Stores).create({
        name: text(options.name),
        currency: text(options.currency),
        ownerEmail: text(options['owner-email']),
        ownerPassword: optionalText(options['owner-password']),
        plan: optionalText(options.plan),
      });
      const { id, name, currency, plan, ownerEmail } = created;
      await auditIn(app, id, { operation: 'store.create', input: { name, currency, plan, ownerEmail } });
      if (created.invitation !== undefined) {
        await auditIn(app, id, { operation: 'member.invite', input: { email: ownerEmail, role: 'owner' } });
      }
      return created;
    },
  },
  'store list': {
    summary: 'List the stores.',
    options: [],
    run: ({ app }) => app.get(Stores).list(),
  },
};
