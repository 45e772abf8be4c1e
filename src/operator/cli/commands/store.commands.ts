import { createHash } from 'node:crypto';
import path from 'node:path';
import { lastDetails, recordAction } from '../../../platform/database/installation/operator-log.js';
import { SystemDatabase } from '../../../platform/database/system.js';
import { invalidInput } from '../../../platform/errors.js';
import { Stores } from '../../../stores/stores.service.js';
import { type Commands, optionalText, text } from '../command.js';
import { type Counts, deleteStore } from '../../backup/delete-store.js';
import { type ExportedStore, exportStore } from '../../backup/export-store.js';
import { auditIn, inStore } from '../in-store.js';
import { move, undo } from '../move.js';

export const COMMANDS = {
  'store create': {
    recorded: ({ currency }, { id, plan }: { id: string; plan: string }) => ({
      target: `store:${id}`,
      details: { currency, plan },
    }),
    hint: ({ baseUrl }) => `The owner signs in at ${baseUrl}/dashboard`,
    async run({ app, options }) {
      const timeZone = optionalText(options['time-zone']);
      const { createdAt: _, ...created } = await app.get(Stores).create({
        name: text(options.name),
        currency: text(options.currency),
        ownerEmail: text(options['owner-email']),
        ownerPassword: optionalText(options['owner-password']),
        plan: optionalText(options.plan),
        timeZone,
      });
      const { id, name, currency, plan, ownerEmail } = created;
      const input = { name, currency, plan, ownerEmail, timeZone };
      await auditIn(app, id, { operation: 'store.create', input });
      if (created.invitation !== undefined) {
        await auditIn(app, id, { operation: 'member.invite', input: { email: ownerEmail, role: 'owner' } });
      }
      return created;
    },
  },
  'store list': {
    run: ({ app, options }) =>
      app.get(Stores).list({ search: optionalText(options.search), email: optionalText(options.email) }),
  },
  'store suspend': {
    recorded: ({ reason }, { id }: { id: string }) => ({ target: `store:${id}`, details: { reason } }),
    run: (call) =>
      inStore(call, 'store.suspend', (ctx) => call.app.get(Stores).suspend(ctx, text(call.options.reason))),
  },
  'store resume': {
    recorded: (_, { id }: { id: string }) => ({ target: `store:${id}` }),
    run: (call) => inStore(call, 'store.resume', (ctx) => call.app.get(Stores).suspend(ctx, null)),
  },
  'store move': {
    run: (call) => (call.options.undo ? undo(call) : move(call)),
  },
  'store export': {
    recorded: (_, { store, tables }: ExportedStore) => ({
      target: `store:${store.id}`,
      details: { rows: tables.reduce((sum, { rows }) => sum + rows, 0) },
    }),
    async run({ app, options, runtime }) {
      const { id, name } = await app.get(Stores).get(text(options.store));
      return exportStore(runtime.directUrl, { id, name }, path.resolve(text(options.to)));
    },
  },
  'store delete': {
    async run({ app, options, runtime }) {
      const { id: store, name } = await app.get(Stores).get(text(options.store));
      // A wrong name is a mistake, even if --yes is given.
      const isConfirmed = options.confirm === undefined ? options.yes === true : options.confirm === name;
      if (!isConfirmed)
        throw invalidInput(
          `confirm must be the store's name, ${name}: everything in it is deleted for good. Or give --yes`,
        );
      const nameSha256 = createHash('sha256').update(name).digest('hex');
      const action = { command: 'store delete', target: `store:${store}` };
      const record = (details: object) =>
        recordAction(app.get(SystemDatabase), runtime.log, { ...action, details });
      /** The record of a run that was interrupted has the rows before it, and none after. */
      const begin = async (found: Counts) => {
        const last = await lastDetails(app.get(SystemDatabase), action);
        if (last?.before !== undefined && last.after === undefined) return last.before as Counts;
        await record({ nameSha256, before: found });
        return found;
      };
      const { before, after, ...deleted } = await deleteStore(runtime.directUrl, store, runtime.log, begin);
      const id = await record({ nameSha256, before, after });
      return { id: store, name, ...deleted, certificate: { id, store, nameSha256, before, after } };
    },
  },
} satisfies Commands;
