import { Module } from '@nestjs/common';
import { signData } from '@tma.js/init-data-node';
import { BotCredentials } from '../../../groups/bot/bot-credentials.service.js';
import { isCustomerId } from '../../../groups/customers/customer-id.js';
import { WebhookTest } from '../../../groups/orders/webhook-test.service.js';
import { forbidden, invalidInput } from '../../../platform/errors.js';
import type { WebhookEvent } from '../../../webhooks/events/outbox.js';
import type { Commands, OnlineCommand } from '../command.js';
import { inStore } from '../in-store.js';
import { DAY_MS } from '../../../platform/clock.js';

/** The services of these commands alone: the modules of bots and orders load a lot more. */
@Module({ providers: [BotCredentials, WebhookTest] })
class DeskModule {}

/** Commands for integrators who develop and test, in addition to `webhook listen`. */
export const COMMANDS = {
  'trigger order.created': trigger('order.created'),
  'trigger order.updated': trigger('order.updated'),
  'storefront init-data': {
    modules: [DeskModule],
    async run(call) {
      if (call.runtime.config.nodeEnv === 'production') {
        throw forbidden(
          'storefront init-data is refused when NODE_ENV is production: it speaks for a shopper',
        );
      }
      const user = call.options.user as string;
      if (!isCustomerId(user))
        throw invalidInput("user must be a messenger user's id: a positive integer of at most 64 bits");
      return inStore(call, 'storefront.init_data', async (ctx) => {
        const bot = await call.app.get(BotCredentials).find(ctx);
        if (!bot)
          throw invalidInput(
            'The store has no bot, and init data is signed with its token: connect one first',
          );
        const initData = signedInitData(user, bot.token, ctx.now());
        return {
          initData,
          authorization: `tma ${initData}`,
          expiresAt: new Date(ctx.now().getTime() + DAY_MS),
        };
      });
    },
  },
} satisfies Commands;

/**
 * Sends a test event. Nothing is stored: the order in the event does not exist, and the body has `"test":
 * true`.
 */
function trigger(event: WebhookEvent): OnlineCommand {
  return {
    modules: [DeskModule],
    run: (call) => inStore(call, 'webhook.test', (ctx) => call.app.get(WebhookTest).send(ctx, event)),
  };
}

/** Writes the id into the JSON as text, because a JavaScript number cannot represent 64 bits. */
function signedInitData(userId: string, botToken: string, now: Date): string {
  const values = {
    auth_date: String(Math.floor(now.getTime() / 1000)),
    user: `{"id":${userId},"first_name":"Test"}`,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const hash = signData(lines.sort().join('\n'), botToken);
  return new URLSearchParams({ ...values, hash }).toString();
}
