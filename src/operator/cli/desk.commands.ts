import { signData } from '@tma.js/init-data-node';
import { BotCredentials } from '../../groups/bot/bot-credentials.service.js';
import { isCustomerId } from '../../groups/customers/customer-id.js';
import { EVENTS, type EventName, WebhookTest } from '../../groups/orders/webhook-test.service.js';
import { forbidden, invalidInput } from '../../platform/errors.js';
import { isDateTime } from '../../platform/schema/formats.js';
import { parseUrl } from '../../platform/url.js';
import { Deliveries } from '../../webhooks/delivery/deliveries.service.js';
import { WebhookEndpoints } from '../../webhooks/endpoint/webhook-endpoints.service.js';
import type { Command, OnlineCommand } from './commands.js';
import { inStore } from './in-store.js';
import { listenForWebhooks } from './webhook-listen.js';

const STORE = { name: 'store', value: 'ID', required: true };
const DEFAULT_PORT = '4000';

/** What an integrator needs at their desk. */
export const DESK_COMMANDS: Record<string, Command> = {
  'webhook listen': {
    summary:
      'Receive webhooks here: prints each as a line of JSON. With --secret it verifies signatures and says why one does not match; with --forward-to it passes each on, as it came, and answers what is answered there.',
    options: [
      { name: 'port', value: 'N' },
      { name: 'secret', value: 'whsec_…' },
      { name: 'forward-to', value: 'URL' },
    ],
    offline: true,
    run({ options: { port = DEFAULT_PORT, secret, 'forward-to': forwardTo } }) {
      if (!/^\d{1,5}$/.test(port as string) || Number(port) > 65_535)
        throw invalidInput('port must be an integer from 0 to 65535');
      if (secret !== undefined && !(secret as string).startsWith('whsec_')) {
        throw invalidInput('secret must be a signing secret: it begins with whsec_');
      }
      if (forwardTo !== undefined && !/^https?:$/.test(parseUrl(forwardTo as string)?.protocol ?? '')) {
        throw invalidInput('forward-to must be an absolute http or https URL');
      }
      if (secret === undefined && forwardTo === undefined) throw invalidInput('one of --secret and --forward-to is required');
      return listenForWebhooks(Number(port), {
        secret: secret as string | undefined,
        forwardTo: forwardTo as string | undefined,
      });
    },
  },
  'webhook rotate-secret': {
    summary: 'Give the webhook a new signing secret. It is shown only now, and attempts from now on are signed with it.',
    options: [STORE],
    run: (call) => inStore(call, 'webhook.rotate_secret', (ctx) => call.app.get(WebhookEndpoints).rotateSecret(ctx)),
  },
  'webhook redeliver': {
    summary: 'Send a delivery again, or all that failed since a time.',
    options: [STORE, { name: 'id', value: 'D' }, { name: 'failed-since', value: 'TIME' }],
    async run(call) {
      const { id, 'failed-since': since } = call.options as Record<string, string | undefined>;
      if ((id === undefined) === (since === undefined)) throw invalidInput('exactly one of --id and --failed-since is required');
      if (since !== undefined && !isDateTime(since))
        throw invalidInput('failed-since must be an RFC 3339 date-time with an offset');
      return inStore(call, 'webhook.redeliver', async (ctx) => {
        const deliveries = call.app.get(Deliveries);
        if (since !== undefined) return { queued: await deliveries.redeliverFailed(ctx, new Date(since)) };
        await deliveries.redeliver(ctx, id!);
        return { queued: 1 };
      });
    },
  },
  ...Object.fromEntries(EVENTS.map((event) => [`trigger ${event}`, trigger(event)])),
  'storefront init-data': {
    summary:
      "Sign Mini App init data as the messenger would, for a shopper of your choice: the storefront's credential for a day.",
    options: [STORE, { name: 'user', value: 'N', required: true }],
    async run(call) {
      if (call.runtime.config.nodeEnv === 'production') {
        throw forbidden('storefront init-data is refused when NODE_ENV is production: it speaks for a shopper');
      }
      const user = call.options.user as string;
      if (!isCustomerId(user)) throw invalidInput("user must be a messenger user's id: a positive integer of at most 64 bits");
      return inStore(call, 'storefront.init_data', async (ctx) => {
        const bot = await call.app.get(BotCredentials).find(ctx);
        if (!bot) throw invalidInput('The store has no bot, and init data is signed with its token: connect one first');
        const initData = signedInitData(user, bot.token, ctx.now());
        return { initData, authorization: `tma ${initData}`, expiresAt: new Date(ctx.now().getTime() + 86_400_000) };
      });
    },
  },
};

/** Nothing is stored: the order in it does not exist, and the body says `"test": true`. */
function trigger(event: EventName): OnlineCommand {
  return {
    summary: `Send a test ${event} to the store's webhook, now, and print what it answered.`,
    options: [STORE],
    run: (call) => inStore(call, 'webhook.test', (ctx) => call.app.get(WebhookTest).send(ctx, event)),
  };
}

/** The id stands in the text as it is: a JavaScript number does not hold 64 bits. */
function signedInitData(userId: string, botToken: string, now: Date): string {
  const values = { auth_date: String(Math.floor(now.getTime() / 1000)), user: `{"id":${userId},"first_name":"Test"}` };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const hash = signData(lines.sort().join('\n'), botToken);
  return new URLSearchParams({ ...values, hash }).toString();
}
