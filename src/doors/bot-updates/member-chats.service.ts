import { Injectable } from '@nestjs/common';
import { NoticeChats } from '../../notices/chats/notice-chats.service.js';
import { WORDS } from '../../notices/words.js';
import { BotReplies } from './bot-replies.service.js';
import type { BotSender } from './bot-sender.guard.js';
import type { InStore } from './bot-update.js';

/** Links and unlinks the chats in which members of the store are told of new orders. */
@Injectable()
export class MemberChats {
  constructor(
    private readonly chats: NoticeChats,
    private readonly replies: BotReplies,
  ) {}

  async link(sender: BotSender, chatId: string, code: string, inStore: InStore): Promise<void> {
    const { botId } = sender.bot;
    const language = await inStore((ctx) => this.chats.link(ctx, code, { chatId, botId }));
    this.reply(sender, chatId, language ? WORDS[language].linked(sender.store.name) : WORDS.en.linkEnded);
  }

  /** Says nothing to somebody who was not told of orders: any shopper may write this. */
  async stop(sender: BotSender, chatId: string, inStore: InStore): Promise<void> {
    const { botId } = sender.bot;
    const language = await inStore((ctx) => this.chats.stop(ctx, { chatId, botId }));
    if (language) this.reply(sender, chatId, WORDS[language].stopped);
  }

  async noteBlocked({ bot }: BotSender, chatId: string, inStore: InStore): Promise<void> {
    await inStore((ctx) => this.chats.noteBlocked(ctx, { chatId, botId: bot.botId }));
  }

  private reply(sender: BotSender, chatId: string, text: string): void {
    this.replies.later('an answer about notices', sender.requestId, async () => {
      await this.replies.send(sender, chatId, { text });
    });
  }
}
