import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BotCredentials } from '../../groups/bot/bot-credentials.service.js';
import { Messenger, type OutgoingMessage } from '../../messenger/messenger.js';
import { SendRate } from '../../messenger/send-rate.js';
import { hashToken } from '../../platform/auth/token.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { notFound } from '../../platform/errors.js';
import { type StoreContext, StoreDatabase } from '../../platform/store/store-context.js';
import type { Notice } from '../notice.js';
import type { Language } from '../words.js';
import * as sql from './notice-chats.statements.js';
import { statement } from '../../platform/database/statement.js';

/** For a store in which nobody is told yet: what was ordered before is not told. */
const BEGIN_NOTICES = statement(
  'begin_notices',
  `insert into notice_cursors as c (store_id, epoch, xid, id, began_at)
   values ($store, order_event_epoch(), pg_snapshot_xmin(pg_current_snapshot()),
     '00000000-0000-0000-0000-000000000000', $now)
   on conflict (store_id) do update set epoch = excluded.epoch, xid = excluded.xid, id = excluded.id,
     began_at = excluded.began_at
   where not exists (select from notice_chats t where t.store_id = $store and t.chat_id is not null)`,
);

const SEND_TIMEOUT_MS = 8_000;
const CODE_LIFE_MS = 15 * 60_000;
/** Beginnings of deep links: what comes after it is a code and not a referrer. */
const PREFIX = 'notices-';
const CODE = /^notices-[\w-]{43}$/;
const BOT = { kind: 'system', id: null, name: 'notices' } as const;

/** How a member's chat stands. */
export interface MemberChat {
  /** The name of the store's bot; null without one. */
  bot: string | null;
  state: 'off' | 'waiting' | 'on' | 'blocked';
  lastSentAt: Date | null;
}

/** A chat with the store's bot. */
export interface BotChat {
  chatId: string;
  botId: string;
}

/** Whether a /start is that of a link which a member got here. */
export const isNoticeCode = (payload: string | null): payload is string => CODE.test(payload ?? '');

/** The members' own chats with the store's bot, in which it tells them of new orders. */
@Injectable()
export class NoticeChats {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: StoreDatabase,
    private readonly credentials: BotCredentials,
    private readonly messenger: Messenger,
    private readonly rate: SendRate,
  ) {}

  async find(ctx: StoreContext, userId: string): Promise<MemberChat> {
    const bot = await this.credentials.find(ctx);
    const [row] = await ctx.session.read(sql.FIND_CHAT, { userId, botId: bot?.botId, now: ctx.now() });
    const state = row?.isLinked ? 'on' : row?.isAwaited ? 'waiting' : row?.blockedAt ? 'blocked' : 'off';
    return { bot: bot?.username ?? null, state, lastSentAt: row?.lastSentAt ?? null };
  }

  /** @returns the member's own chat with the store's bot, which has their messenger id; null without one */
  async ownChat(ctx: StoreContext, userId: string): Promise<string | null> {
    const bot = await this.credentials.find(ctx);
    const [row] = await ctx.session.read(sql.FIND_CHAT, { userId, botId: bot?.botId, now: ctx.now() });
    return row?.isLinked ? row.chatId : null;
  }

  /** @returns the link that links the chat of whoever follows it, once. @throws OperationError not_found */
  async invite(
    ctx: StoreContext,
    userId: string,
    language: Language,
  ): Promise<{ link: string; expiresAt: Date }> {
    const bot = await this.credentials.find(ctx);
    if (!bot) throw notFound("The store's bot");
    const code = PREFIX + randomBytes(32).toString('base64url');
    const expiresAt = new Date(ctx.now().getTime() + CODE_LIFE_MS);
    await ctx.session.query(sql.AWAIT_CHAT, { userId, language, codeHash: hashToken(code), expiresAt });
    return { link: `https://t.me/${bot.username}?start=${code}`, expiresAt };
  }

  /** Links a chat by a code. @returns the member's language; null for a code that is none any more */
  async link(ctx: StoreContext, code: string, chat: BotChat): Promise<Language | null> {
    await ctx.session.query(BEGIN_NOTICES, { now: ctx.now() });
    const found = { ...chat, codeHash: hashToken(code), now: ctx.now() };
    const [linked] = await ctx.session.query(sql.LINK_CHAT, found);
    // The messenger may send an update again.
    const [row] = linked ? [linked] : await ctx.session.query(sql.FIND_LINKED, chat);
    return (row?.language as Language | undefined) ?? null;
  }

  async unlink(ctx: StoreContext, userId: string): Promise<void> {
    await ctx.session.query(sql.UNLINK_CHAT, { userId });
  }

  /** @returns the member's language; null if the chat was not linked */
  async stop(ctx: StoreContext, chat: BotChat): Promise<Language | null> {
    const [row] = await ctx.session.query(sql.STOP_CHAT, chat);
    return (row?.language as Language | undefined) ?? null;
  }

  async noteBlocked(ctx: StoreContext, chat: BotChat): Promise<void> {
    await ctx.session.query(sql.BLOCK_CHAT, { ...chat, now: ctx.now() });
  }

  /**
   * Sends a message to the member's own chat while they wait, outside any transaction.
   * @returns why it was not sent; null if it was
   * @throws OperationError not_found if no chat is linked
   */
  async sendTo(ctx: StoreContext, userId: string, message: OutgoingMessage): Promise<string | null> {
    const bot = await this.credentials.find(ctx);
    const [row] = await ctx.session.read(sql.FIND_CHAT, { userId, botId: bot?.botId, now: ctx.now() });
    if (!bot || !row?.isLinked) throw notFound("Your chat with the store's bot");
    await this.rate.take(bot.botId);
    const outcome = await this.messenger.sendMessage(bot.token, row.chatId!, message, {
      timeoutMs: SEND_TIMEOUT_MS,
    });
    return outcome.sent ? null : outcome.detail;
  }

  /** Sends outside any transaction, at the bot's rate. @returns why it was not sent; null if it was */
  async send(
    store: { storeId: string; currency: string },
    { userId, chatId }: { userId: string; chatId: string },
    { title, text, path }: Notice,
  ): Promise<string | null> {
    const inStore = <Result>(work: (ctx: StoreContext) => Promise<Result>) =>
      this.database.inStore({ ...store, actor: BOT }, work);
    const bot = await inStore((ctx) => this.credentials.find(ctx));
    if (!bot) return 'the store has no bot any more';
    await this.rate.take(bot.botId);
    const message = { text: [title, text, `${this.config.baseUrl}/dashboard/${path}`].join('\n') };
    const outcome = await this.messenger.sendMessage(bot.token, chatId, message, {
      timeoutMs: SEND_TIMEOUT_MS,
    });
    await inStore(async (ctx) => {
      if (outcome.sent) await ctx.session.query(sql.NOTE_CHAT, { userId, chatId, now: ctx.now() });
      else if (outcome.reason === 'unreachable') await this.noteBlocked(ctx, { chatId, botId: bot.botId });
    });
    return outcome.sent ? null : outcome.detail;
  }
}
