import { Injectable } from '@nestjs/common';
import { BotMessages } from '../../groups/bot/bot-messages.service.js';
import { SET_BOT_BLOCKED } from '../../groups/bot/bot.statements.js';
import { Messenger } from '../../messenger/messenger.js';
import { SendRate } from '../../messenger/send-rate.js';
import { BotReplies } from './bot-replies.service.js';
import type { BotSender } from './bot-sender.guard.js';
import type { InStore } from './bot-update.js';
import { storefrontLink } from '../storefront/shopper/messenger-user.js';

const SEND_TIMEOUT_MS = 8_000;

/** Greets shoppers who start the bot with the store's welcome message and a button that opens the shop. */
@Injectable()
export class Welcome {
  constructor(
    private readonly messenger: Messenger,
    private readonly rate: SendRate,
    private readonly messages: BotMessages,
    private readonly replies: BotReplies,
  ) {}

  send({ bot, requestId }: BotSender, shopperId: string, inStore: InStore): void {
    this.replies.later('the welcome message', requestId, async () => {
      const { text, imageUrl, buttonText } = await inStore((ctx) => this.messages.find(ctx, 'welcome'));
      const button = buttonText === null ? null : { text: buttonText, url: storefrontLink(bot.username) };
      await this.rate.take(bot.botId);
      const outcome = await this.messenger.send(
        bot.token,
        shopperId,
        { text, imageUrl, button },
        { timeoutMs: SEND_TIMEOUT_MS },
      );
      if (outcome.sent) return;
      await inStore(async (ctx) => {
        ctx.log.info({ detail: outcome.detail }, 'the welcome message was not sent');
        const blocked = { customerId: shopperId, isBlocked: true, now: ctx.now() };
        if (outcome.blocked) ctx.session.send(SET_BOT_BLOCKED, blocked);
      });
    });
  }
}
