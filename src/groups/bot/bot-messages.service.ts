import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { changedFields } from '../../platform/store/audit.js';
import { nextVersion } from '../../platform/store/version.js';
import { storeWords } from '../../stores/words/languages.js';
import type { BotMessageKind, StoreWords } from '../../stores/words/store-words.js';
import type { UpdateBotMessageInput } from './bot.dto.js';
import { FIND_BOT_MESSAGE, LOCK_BOT_MESSAGES, NOTE_PICTURE, SAVE_BOT_MESSAGE } from './bot.statements.js';

export interface BotMessage {
  /** Whether it is sent. The welcome and the shipped message have no switch. */
  enabled?: boolean;
  /** `{orderId}` stands for the order's number, but in the welcome message. */
  text: string;
  imageUrl: string | null;
  buttonText: string | null;
  /** Null for a default message. */
  updatedAt: Date | null;
  /** What the messenger said of the picture, if it refused it the last time. */
  pictureRefused: string | null;
}

type Change = Omit<UpdateBotMessageInput, 'kind'>;
const TEXTS = ['text', 'imageUrl', 'buttonText'] as const;
const hasSwitch = (kind: BotMessageKind) => kind !== 'welcome' && kind !== 'shipped';

/** The messages that the store's bot sends: the store's own, or the defaults in its language. */
@Injectable()
export class BotMessages {
  async find(ctx: StoreContext, kind: BotMessageKind): Promise<BotMessage> {
    return (await this.findInWords(ctx, kind)).message;
  }

  /** With the other words of the store's language. */
  async findInWords(
    ctx: StoreContext,
    kind: BotMessageKind,
  ): Promise<{ message: BotMessage; words: StoreWords }> {
    const [stored] = await ctx.session.read(FIND_BOT_MESSAGE, { kind });
    return { message: messageOf(kind, stored), words: storeWords(stored.language) };
  }

  /**
   * Fields that are not given keep their value; a default goes on with the language of the store.
   * @throws OperationError invalid_input for switching a message that is always sent
   */
  async update(ctx: StoreContext, kind: BotMessageKind, input: Change): Promise<BotMessage> {
    if (input.enabled !== undefined && !hasSwitch(kind))
      throw invalidInput(`enabled must not be given: the ${kind} message has no switch`).about('no_switch');
    ctx.session.enqueue(LOCK_BOT_MESSAGES);
    const [stored] = await ctx.session.query(FIND_BOT_MESSAGE, { kind });
    const before = messageOf(kind, stored);
    ctx.checkUnchanged(before.updatedAt);
    const updatedAt = before.updatedAt ? nextVersion(ctx, before.updatedAt) : ctx.now();
    const isSamePicture = input.imageUrl === undefined || input.imageUrl === before.imageUrl;
    const pictureRefused = isSamePicture ? before.pictureRefused : null;
    const after = { ...before, ...input, updatedAt, pictureRefused };
    const own = TEXTS.filter((name) => stored.own.includes(name) || input[name] !== undefined);
    const { enabled = false, text, imageUrl, buttonText } = after;
    ctx.session.enqueue(SAVE_BOT_MESSAGE, { kind, enabled, own, text, imageUrl, buttonText, updatedAt });
    ctx.audit.target = `bot_message:${kind}`;
    ctx.audit.changes = changedFields(before, input);
    return after;
  }

  /** Keeps what the messenger said of the picture of a message that was sent, for the page of the bot. */
  async notePicture(
    ctx: StoreContext,
    kind: BotMessageKind,
    { imageUrl, pictureRefused }: BotMessage,
    refused: string | null = null,
  ): Promise<void> {
    if (imageUrl === null || refused === pictureRefused) return;
    await ctx.session.query(NOTE_PICTURE, { kind, imageUrl, refused });
    await ctx.session.commit();
  }
}

function messageOf(kind: BotMessageKind, stored: RowOf<typeof FIND_BOT_MESSAGE>): BotMessage {
  const { language, own, enabled, updatedAt } = stored;
  const defaults = { ...storeWords(language).messages[kind], imageUrl: null };
  const isOwn = (name: (typeof TEXTS)[number]) => own.includes(name);
  return {
    ...(hasSwitch(kind) ? { enabled } : {}),
    text: isOwn('text') ? stored.text! : defaults.text,
    imageUrl: isOwn('imageUrl') ? stored.imageUrl : defaults.imageUrl,
    buttonText: isOwn('buttonText') ? stored.buttonText : defaults.buttonText,
    updatedAt,
    pictureRefused: isOwn('imageUrl') ? stored.pictureRefused : null,
  };
}
