import { Inject, Injectable } from '@nestjs/common';
import { appAddress, startLink } from '../../groups/bot/shop-links.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { BotMessages } from '../../groups/bot/bot-messages.service.js';
import { SET_BOT_BLOCKED } from '../../groups/bot/bot.statements.js';
import { BotReplies } from './bot-replies.service.js';
import type { BotSender } from './bot-sender.guard.js';
import type { InStore } from './bot-update.js';

/** Greets shoppers who start the bot with the store's welcome message and a button that opens the shop. */
@Injectable()
export class Welcome {
  constructor(
    private readonly messages: BotMessages,
    private readonly replies: BotReplies,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param path the page that the button opens */
  send(sender: BotSender, shopperId: string, inStore: InStore, path = ''): void {
    this.replies.later('the welcome message', sender.requestId, async () => {
      const message = await inStore((ctx) => this.messages.find(ctx, 'welcome'));
      const { text, imageUrl, buttonText } = message;
      const buttons = buttonText === null ? {} : this.buttons(sender, buttonText, path);
      const outcome = await this.replies.send(sender, shopperId, { text, imageUrl, ...buttons });
      if (outcome.sent) {
        const { pictureRefused } = outcome;
        return inStore((ctx) => this.messages.notePicture(ctx, 'welcome', message, pictureRefused));
      }
      await inStore(async (ctx) => {
        ctx.log.info({ detail: outcome.detail }, 'the welcome message was not sent');
        const blocked = { customerId: shopperId, isBlocked: true, now: ctx.now() };
        if (outcome.blocked) ctx.session.enqueue(SET_BOT_BLOCKED, blocked);
      });
    });
  }
  /** Where no address can be opened inside the messenger, the public link to the shop. */
  private buttons({ store, bot }: BotSender, text: string, path: string) {
    const url = appAddress(this.config, store.id, bot, path);
    if (url !== null) return { appButton: { text, url } };
    if (bot.opens === 'nothing' && !bot.hasMainApp) return {};
    return { button: { text, url: startLink(bot, path ? path.replace('/', '_') : 'shop') } };
  }
}
