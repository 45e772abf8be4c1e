import { SystemDatabase } from '../../../platform/database/system.js';
import { DEFAULT_TAKE } from '../../../platform/schema/pages/page.js';
import { StoreDatabase } from '../../../platform/store/store-context.js';
import { Stores } from '../../../stores/stores.service.js';
import { Deliveries } from '../../../webhooks/delivery/deliveries.service.js';
import { LIST_FAILED_EVERYWHERE } from '../../../webhooks/delivery/deliveries.statements.js';
import { WebhookEndpoints } from '../../../webhooks/endpoint/webhook-endpoints.service.js';
import { invalidInput } from '../../../platform/errors.js';
import { parseUrl } from '../../../platform/text/url.js';
import { isDateTime } from '../../../platform/schema/formats.js';
import { type CommandCode, type Commands, positiveInteger, text, UsageError } from '../command.js';
import { inStore } from '../in-store.js';
import { listenForWebhooks } from '../webhook-listen.js';

const DEFAULT_PORT = '4000';

export const COMMANDS = {
  'webhook listen': {
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
      if (secret === undefined && forwardTo === undefined)
        throw new UsageError('one of --secret and --forward-to is required');
      return listenForWebhooks(Number(port), {
        secret: secret as string | undefined,
        forwardTo: forwardTo as string | undefined,
      });
    },
  },
  'webhook set': {
    async run(call) {
      const endpoints = call.app.get(WebhookEndpoints);
      const url = text(call.options.url);
      await endpoints.check(url);
      return inStore(call, 'webhook.save', (ctx) => endpoints.save(ctx, url));
    },
  },
  'webhook deliveries': {
    async run({ app, options }) {
      const take = positiveInteger(options.take, 'take', 1_000);
      const status = options.failed ? 'failed' : undefined;
      if (Boolean(options.all) === (options.store !== undefined))
        throw new UsageError('exactly one of --store and --all is required');
      if (options.all) {
        if (!status) throw new UsageError('all is only for deliveries that failed: add --failed');
        return app.get(SystemDatabase).query(LIST_FAILED_EVERYWHERE, { take: take ?? DEFAULT_TAKE });
      }
      const principal = await app.get(Stores).operator(text(options.store));
      return app
        .get(StoreDatabase)
        .inStore(principal, async (ctx) => (await app.get(Deliveries).list(ctx, { take, status })).items);
    },
  },
  'webhook rotate-secret': {
    run: (call) =>
      inStore(call, 'webhook.rotate_secret', (ctx) =>
        call.app.get(WebhookEndpoints).rotateSecret(ctx, { overlap: call.options.overlap === true }),
      ),
  },
  'webhook redeliver': {
    async run(call) {
      const { id, 'failed-since': since } = call.options as Record<string, string | undefined>;
      if ((id === undefined) === (since === undefined))
        throw new UsageError('exactly one of --id and --failed-since is required');
      if (since !== undefined && !isDateTime(since))
        throw invalidInput('failed-since must be an RFC 3339 date-time with an offset');
      const deliveries = call.app.get(Deliveries);
      if (since === undefined)
        return inStore(call, 'webhook.redeliver', async (ctx) => ({
          queued: await deliveries.redeliver(ctx, id!),
        }));
      return inStore(call, 'webhook.redeliver_failed', async (ctx) => {
        const { redelivered, ...more } = await deliveries.redeliverFailed(ctx, new Date(since));
        return { queued: redelivered, ...more };
      });
    },
  },
} satisfies Commands<CommandCode>;
