import { Injectable } from '@nestjs/common';
import { BotMessages } from '../../groups/bot/bot-messages.service.js';
import { SET_BOT_BLOCKED } from '../../groups/bot/bot.statements.js';
import { BotReplies } from './bot-replies.service.js';
import type { BotSender } from './bot-sender.guard.js';
import type { InStore } from './bot-update.js';
import { storefrontLink } from '../storefront/shopper/messenger-user.js';

/** Greets shoppers who start the bot with the store's welcome message and a button that opens the shop. */
@Injectable()
export class Welcome {
  constructor(
    private readonly messages: BotMessages,
    private readonly replies: BotReplies,
  ) {}

  send(sender: BotSender, shopperId: string, inStore: InStore): void {
    this.replies.later('the welcome message', sender.requestId, async () => {
      const { text, imageUrl, buttonText } = await inStore((ctx) => this.messages.find(ctx, 'welcome'));
      const button =
        buttonText === null ? null : { text: buttonText, url: storefrontLink(sender.bot.username) };
      const outcome = await this.replies.send(sender, shopperId, { text, imageUrl, button });
      if (outcome.sent) {
        const { pictureRefused: detail } = outcome;
        if (detail !== undefined)
          await inStore((ctx) =>
            Promise.resolve(ctx.log.warn({ detail }, 'the welcome picture was refused')),
          );
        return;
      }
      await inStore(async (ctx) => {
        ctx.log.info({ detail: outcome.detail }, 'the welcome message was not sent');
        const blocked = { customerId: shopperId, isBlocked: true, now: ctx.now() };
        if (outcome.blocked) ctx.session.send(SET_BOT_BLOCKED, blocked);
      });
    });
  }
}
