import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { seedDemo } from '../demo/seed-demo.js';
import { Invoices } from '../../groups/billing/invoices.service.js';
import { InvoiceRecord } from '../../groups/billing/billing.dto.js';
import { Subscriptions } from '../../groups/billing/subscriptions.service.js';
import { OrderPlacing } from '../../groups/orders/order-placing.service.js';
import { PlaceOrderFile } from '../../groups/orders/place-order.dto.js';
import { type Scope, SCOPES } from '../../platform/store/principal.js';
import { TokenRegistry } from '../../platform/auth/token-registry.js';
import type { Config } from '../../platform/config/config.js';
import type { Logger } from '../../platform/logging/logger.js';
import { StoreDatabase } from '../../platform/store/store-database.js';
import { validateInput } from '../../platform/schema/validate.js';
import { forbidden, invalidInput, notFound } from '../../platform/errors.js';
import { present } from '../../platform/schema/present.js';
import { Accounts } from '../../people/accounts.service.js';
import { Attempts } from '../../people/attempts.service.js';
import { SecondFactor } from '../../people/second-factor.service.js';
import type { Runtime } from '../../runtime.js';
import { Stores } from '../../stores/stores.service.js';
import { Deliveries } from '../../webhooks/delivery/deliveries.service.js';
import { WebhookEndpoints } from '../../webhooks/endpoint/webhook-endpoints.service.js';
import { DESK_COMMANDS } from './desk.commands.js';
import { examine } from './doctor/doctor.js';
import { KEYS_COMMANDS } from './keys.commands.js';
import { auditIn, auditInStoresOf, inStore } from './in-store.js';
import { OAUTH_COMMANDS } from './oauth.commands.js';

export interface CommandCall {
  app: INestApplicationContext;
  options: Record<string, string | boolean | undefined>;
  runtime: Runtime;
}

interface CommandDeclaration {
  summary: string;
  options: { name: string; value?: string; required?: boolean; type?: 'string' | 'boolean' }[];
}

export interface OnlineCommand extends CommandDeclaration {
  offline?: false;
  standalone?: false;
  run(call: CommandCall): Promise<unknown>;
}

/** Needs neither database nor configuration to be in order. */
interface OfflineCommand extends CommandDeclaration {
  offline: true;
  standalone?: false;
  run(call: Pick<CommandCall, 'options'>): Promise<unknown>;
}

export interface StandaloneCall {
  options: CommandCall['options'];
  config: Config;
  log: Logger;
}

/** Opens what it needs by itself: it comes before there is a database that the application could start on. */
export interface StandaloneCommand extends CommandDeclaration {
  offline?: false;
  standalone: true;
  run(call: StandaloneCall): Promise<unknown>;
}

export type Command = OnlineCommand | OfflineCommand;

const STORE = { name: 'store', value: 'ID', required: true };
const text = (value: string | boolean | undefined) => value as string;
const optionalText = (value: string | boolean | undefined) => value as string | undefined;

function positiveInteger(value: string | boolean | undefined, name: string, max: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > max) throw invalidInput(`${name} must be an integer from 1 to ${max}`);
  return number;
}

export const COMMANDS: Record<string, Command> = {
  ...KEYS_COMMANDS,
  ...OAUTH_COMMANDS,
  ...DESK_COMMANDS,
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
  'user password': {
    summary: 'Give a person who lost it a new password; their sessions end, and attempts to sign in count anew.',
    options: [
      { name: 'email', value: 'E', required: true },
      { name: 'password', value: 'P' },
    ],
    async run({ app, options }) {
      const reset = await app.get(Accounts).resetByOperator(text(options.email), optionalText(options.password));
      await app.get(Attempts).clear(reset.email);
      await auditInStoresOf(app, reset.email, 'user.password');
      return reset;
    },
  },
  'user second-factor-off': {
    summary: 'Turn off the second factor of a person who lost both app and recovery codes; find out first that it is them.',
    options: [{ name: 'email', value: 'E', required: true }],
    async run({ app, options }) {
      const { userId, email } = await app.get(Accounts).get(text(options.email));
      const turnedOff = await app.get(SecondFactor).turnOff(userId);
      if (turnedOff) await auditInStoresOf(app, email, 'user.second_factor_off');
      return { email, turnedOff };
    },
  },
  'token create': {
    summary: 'Make an API token. It is shown only now.',
    options: [
      STORE,
      { name: 'name', value: 'N', required: true },
      { name: 'scope', value: 'read|write|admin', required: true },
      { name: 'expires-in-days', value: 'D' },
    ],
    async run(call) {
      const { app, options } = call;
      const scope = text(options.scope) as Scope;
      if (!SCOPES.includes(scope)) throw invalidInput(`scope must be one of ${SCOPES.join(', ')}`);
      const name = text(options.name);
      if (name.length < 1 || name.length > 100) throw invalidInput('name must be a string of 1 to 100 characters');
      const days = positiveInteger(options['expires-in-days'], 'expires-in-days', 3_650);
      const expiresAt = days === undefined ? null : new Date(Date.now() + days * 86_400_000);
      return inStore(call, 'token.create', async (ctx) => {
        const { record, token } = await app.get(TokenRegistry).create(ctx, { name, scope, expiresAt });
        return { id: record.id, token, name: record.name, scope: record.scope, expiresAt: record.expiresAt };
      });
    },
  },
  'token revoke': {
    summary: 'Revoke an API token, at once and everywhere.',
    options: [STORE, { name: 'id', value: 'T', required: true }],
    async run(call) {
      const id = text(call.options.id);
      return inStore(call, 'token.revoke', async (ctx) => {
        const revokedAt = await call.app.get(TokenRegistry).revoke(ctx, id);
        if (!revokedAt) throw notFound('The token');
        return { id, revokedAt };
      });
    },
  },
  'webhook set': {
    summary: 'Set the webhook URL. The signing secret is shown on the first save only.',
    options: [STORE, { name: 'url', value: 'U', required: true }],
    run: (call) => inStore(call, 'webhook.save', (ctx) => call.app.get(WebhookEndpoints).save(ctx, text(call.options.url))),
  },
  'webhook deliveries': {
    summary: 'List recent deliveries with their attempts, newest first.',
    options: [STORE, { name: 'take', value: 'N' }],
    async run({ app, options }) {
      const take = positiveInteger(options.take, 'take', 1_000);
      const principal = await app.get(Stores).operator(text(options.store));
      return app.get(StoreDatabase).inStore(principal, async (ctx) => (await app.get(Deliveries).list(ctx, { take })).items);
    },
  },
  'order place': {
    summary: 'Place an order from a JSON file, as the storefront does.',
    options: [STORE, { name: 'file', value: 'F', required: true }],
    async run(call) {
      const { messengerUserId, firstName, lastName, username, paid, ...order } = validateInput(
        PlaceOrderFile,
        readJson(text(call.options.file)),
      );
      const shopper = { id: messengerUserId, firstName, lastName, username };
      const { json } = await inStore(call, 'order.place', (ctx) =>
        call.app.get(OrderPlacing).place(ctx, shopper, order, paid === true),
      );
      return JSON.parse(json.text) as unknown;
    },
  },
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
    summary: 'Issue the invoice of the period that contains the day (default: that ended last), or print it again.',
    options: [STORE, { name: 'period', value: 'YYYY-MM-DD' }],
    run: (call) =>
      inStore(call, 'billing.issue', async (ctx) =>
        present(InvoiceRecord, await call.app.get(Invoices).issue(ctx, optionalText(call.options.period))),
      ),
  },
  'demo seed': {
    summary: 'Make a demo store with three months of orders, all that belongs to them, and tokens.',
    options: [],
    async run({ app, runtime }) {
      if (runtime.config.nodeEnv === 'production') throw forbidden('demo seed is refused when NODE_ENV is production');
      return seedDemo(app);
    },
  },
  doctor: {
    summary: 'Say what is wrong or missing in this installation, and how to mend it. Changes nothing; exit code 1 for an error.',
    options: [],
    offline: true,
    async run() {
      const report = await examine();
      if (!report.ok) process.exitCode = 1;
      return report;
    },
  },
};

function readJson(file: string): unknown {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw invalidInput(`file could not be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(content);
  } catch {
    throw invalidInput('file must hold valid JSON');
  }
}
