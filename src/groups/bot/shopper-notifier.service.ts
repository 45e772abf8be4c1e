import { Inject, Injectable } from '@nestjs/common';
import { Messenger, type OutgoingMessage, type SendFailure } from '../../messenger/messenger.js';
import { SendRate } from '../../messenger/send-rate.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { within } from '../../platform/timers.js';
import { BotCredentials } from './bot-credentials.service.js';
import type { BotMessageKind, StoreWords } from '../../stores/words/store-words.js';
import { type BotMessage, BotMessages } from './bot-messages.service.js';
import { appAddress } from './shop-links.js';
import { SET_BOT_BLOCKED } from './bot.statements.js';

/** The data of an order that messages about it use, after the change; tracking is of a shipped one. */
export interface ToldOrder {
  id: number;
  messengerUserId: string;
  trackingUrl?: string | null;
  carrier?: string | null;
  trackingNumber?: string | null;
}

/** The part of ship_order's answer that is about the message. */
export type Notification =
  { notified: true } | { notified: false; notifyFailureReason: 'bot_not_configured' | SendFailure };

/** The kinds of messages about an order. */
export type OrderMessage = Exclude<BotMessageKind, 'welcome'>;

/** With what the messenger said of the message, or of the picture that it refused. */
interface Told {
  notification: Notification;
  detail: string | null;
}

/** How the order's timeline keeps it. */
export const outcomeOf = (told: Notification) => (told.notified ? 'sent' : told.notifyFailureReason);

const NO_BOT: Notification = { notified: false, notifyFailureReason: 'bot_not_configured' };

/**
 * The limit for waiting and sending together. With the database's share, the call stays under 10 s even if
 * the messenger hangs.
 */
const NOTIFY_TIMEOUT_MS = 8_000;

/**
 * Informs a shopper about an order through the store's bot. It runs after the commit, because the change
 * stands even if the message fails.
 */
@Injectable()
export class ShopperNotifier {
  constructor(
    private readonly messenger: Messenger,
    private readonly rate: SendRate,
    private readonly credentials: BotCredentials,
    private readonly messages: BotMessages,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sends the store's message of this kind, once and within 8 s. It never throws, because a failed message is
   * not an error of the call (spec, Errors). A banned shopper is told of a shipment too: the ban locks them
   * out of the shop, but they still receive the parcel that they paid for.
   */
  async tell(ctx: StoreContext, kind: OrderMessage, order: ToldOrder): Promise<Told> {
    try {
      return await this.notify(ctx, kind, order);
    } catch (error) {
      await ctx.session.rollback();
      ctx.log.error({ err: error, orderId: order.id }, 'the shopper could not be notified');
      return { notification: { notified: false, notifyFailureReason: 'send_failed' }, detail: null };
    }
  }

  /** What `tell` returns if the message arrives. Nothing is sent. */
  async expected(ctx: StoreContext): Promise<Notification> {
    return (await this.credentials.find(ctx)) ? { notified: true } : NO_BOT;
  }

  private async notify(ctx: StoreContext, kind: OrderMessage, order: ToldOrder): Promise<Told> {
    const endsAt = performance.now() + NOTIFY_TIMEOUT_MS;
    const bot = await this.credentials.find(ctx);
    if (!bot) return { notification: NO_BOT, detail: null };
    const url = appAddress(this.config, ctx.storeId, bot, `orders/${order.id}`);
    const { message: template, words } = await this.messages.findInWords(ctx, kind);
    const message =
      kind === 'shipped' ? shippedMessage(template, words, order) : messageAbout(template, order);
    const appText = kind === 'shipped' ? words.openOrder : template.buttonText;
    const appButton = url === null || appText === null ? null : { text: appText, url };
    await this.turn(bot.botId, endsAt - performance.now());
    const outcome = await this.messenger.sendMessage(
      bot.token,
      order.messengerUserId,
      { ...message, appButton },
      {
        timeoutMs: endsAt - performance.now(),
      },
    );
    if (outcome.sent) {
      const { pictureRefused: detail = null } = outcome;
      await this.messages.notePicture(ctx, kind, template, detail);
      return { notification: { notified: true }, detail };
    }
    ctx.log.info({ orderId: order.id, detail: outcome.detail }, 'the shopper was not notified');
    if (outcome.blocked) {
      const customerId = order.messengerUserId;
      ctx.session.enqueue(SET_BOT_BLOCKED, { customerId, isBlocked: true, now: ctx.now() });
      await ctx.session.commit();
    }
    const notification = { notified: false, notifyFailureReason: outcome.reason } as const;
    return { notification, detail: outcome.detail };
  }

  /**
   * Waits for a turn at the bot's rate, but not beyond the time limit, because many calls for one bot wait in
   * the same queue.
   */
  private turn(botId: string, timeoutMs: number): Promise<void> {
    return within(timeoutMs, this.rate.take(botId), () => undefined);
  }
}

const messageAbout = ({ text, imageUrl }: BotMessage, { id }: ToldOrder): OutgoingMessage => ({
  ...{ text: text.replaceAll('{orderId}', String(id)), imageUrl },
});

/**
 * The message has the Track Order button only if there is a tracking URL. Otherwise its text has the carrier
 * and the number (spec, ship_order).
 */
function shippedMessage(template: BotMessage, words: StoreWords, order: ToldOrder): OutgoingMessage {
  const message = messageAbout(template, order);
  const { trackingUrl: url, carrier, trackingNumber } = order;
  if (url) {
    const text = template.buttonText ?? words.messages.shipped.buttonText;
    return { ...message, button: { text, url } };
  }
  const lines = [
    ...(carrier ? [words.carrier(carrier)] : []),
    ...(trackingNumber ? [words.trackingNumber(trackingNumber)] : []),
  ];
  return { ...message, text: [message.text, ...lines].join('\n') };
}
