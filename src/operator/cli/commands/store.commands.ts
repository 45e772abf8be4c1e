import { createHash } from 'node:crypto';
import path from 'node:path';
import { lastDetails, recordAction } from '../../../platform/database/installation/operator-log.js';
import { SystemDatabase } from '../../../platform/database/system.js';
import { invalidInput } from '../../../platform/errors.js';
import { Stores } from '../../../stores/stores.service.js';
import { type Commands, optionalText, STORE, text } from '../command.js';
import { type Counts, deleteStore } from '../../backup/delete-store.js';
import { type ExportedStore, exportStore } from '../../backup/export-store.js';
import { auditIn, inStore } from '../in-store.js';
import { move, undo } from '../move.js';

export const COMMANDS: Commands = {
  'store create': {
    summary:
      'Make a store and its owner. An address that has an account gets an invitation, a link that works ' +
      'once, to hand on.',
    options: [
      { name: 'name', value: 'N', required: true },
      { name: 'currency', value: 'USD', required: true },
      { name: 'owner-email', value: 'E', required: true },
      { name: 'owner-password', value: 'P' },
      { name: 'plan', value: 'CODE' },
      { name: 'time-zone', value: 'Europe/Kyiv' },
    ],
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
    summary: 'List the stores: all, those with a text in their name or id, or those of a member.',
    options: [
      { name: 'search', value: 'TEXT' },
      { name: 'email', value: 'E' },
    ],
    run: ({ app, options }) =>
      app.get(Stores).list({ search: optionalText(options.search), email: optionalText(options.email) }),
  },
  'store suspend': {
    summary: 'Refuse everybody who calls the store, with the reason; its data stays, its deliveries wait.',
    options: [STORE, { name: 'reason', value: 'R', required: true }],
    recorded: ({ reason }, { id }: { id: string }) => ({ target: `store:${id}`, details: { reason } }),
    run: (call) =>
      inStore(call, 'store.suspend', (ctx) => call.app.get(Stores).suspend(ctx, text(call.options.reason))),
  },
  'store resume': {
    summary: 'Open a suspended store again; what waited is delivered.',
    options: [STORE],
    recorded: (_, { id }: { id: string }) => ({ target: `store:${id}` }),
    run: (call) => inStore(call, 'store.resume', (ctx) => call.app.get(Stores).suspend(ctx, null)),
  },
  'store move': {
    summary:
      'Move a store to another installation of the same version and key, by its database; ' +
      'here it is left suspended. It answers reads meanwhile. Run again, or with --undo, after ' +
      'an interruption.',
    options: [
      STORE,
      { name: 'to', value: 'DATABASE_URL', required: true },
      { name: 'base-url', value: 'URL' },
      { name: 'undo', type: 'boolean' },
    ],
    run: (call) => (call.options.undo ? undo(call) : move(call)),
  },
  'store export': {
    summary:
      'Write all that a store owns, as it is at this moment, into a new folder: a file of JSON lines for ' +
      'each table.',
    options: [STORE, { name: 'to', value: 'FOLDER', required: true }],
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
    summary: 'Delete a store and everything in it, for good. Its name has to be given, or --yes.',
    options: [STORE, { name: 'confirm', value: 'NAME' }, { name: 'yes', type: 'boolean' }],
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
};
