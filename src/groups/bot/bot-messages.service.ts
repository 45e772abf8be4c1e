import { Injectable } from '@nestjs/common';
import type { StoreContext } from '../../platform/store/store-context.js';
import { changedFields } from '../../platform/store/audit.js';
import { nextVersion } from '../../platform/store/version.js';
import type { BotMessageKind, UpdateWelcomeMessageInput } from './bot.dto.js';
import { FIND_BOT_MESSAGE, LOCK_BOT_MESSAGES, SAVE_BOT_MESSAGE } from './bot.statements.js';

export interface BotMessage {
  /** `{orderId}` in the shipped message stands for the order's number. */
  text: string;
  imageUrl: string | null;
  buttonText: string | null;
  /** Null for a default message. */
  updatedAt: Date | null;
}

/** The messages of a store that has not stored its own. */
const DEFAULTS: Record<BotMessageKind, BotMessage> = {
  welcome: {
    text: 'Welcome! Tap the button below to open the shop.',
    imageUrl: null,
    buttonText: 'Open shop',
    updatedAt: null,
  },
  shipped: {
    text: 'Good news: your order #{orderId} has been shipped.',
    imageUrl: null,
    buttonText: 'Track Order',
    updatedAt: null,
  },
};

/** The messages that the store's bot sends: the store's own, or the defaults. */
@Injectable()
export class BotMessages {
  async find(ctx: StoreContext, kind: BotMessageKind): Promise<BotMessage> {
    const [stored] = await ctx.session.read(FIND_BOT_MESSAGE, { kind });
    return stored ?? DEFAULTS[kind];
  }

  /** Fields that are not given keep their value, even if it is a default. */
  async update(
    ctx: StoreContext,
    kind: BotMessageKind,
    input: UpdateWelcomeMessageInput,
  ): Promise<BotMessage> {
    ctx.session.enqueue(LOCK_BOT_MESSAGES);
    const [stored] = await ctx.session.query(FIND_BOT_MESSAGE, { kind });
    const before = stored ?? DEFAULTS[kind];
    ctx.checkUnchanged(before.updatedAt);
    const updatedAt = before.updatedAt ? nextVersion(ctx, before.updatedAt) : ctx.now();
    const after = { ...before, ...input, updatedAt };
    const { text, imageUrl, buttonText } = after;
    ctx.session.enqueue(SAVE_BOT_MESSAGE, { kind, text, imageUrl, buttonText, updatedAt });
    ctx.audit.target = `bot_message:${kind}`;
    ctx.audit.changes = changedFields(before, input);
    return after;
  }
}
