import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Messenger, type OutgoingMessage, type SendFailure } from '../../messenger/messenger.js';
import { SendRate } from '../../messenger/send-rate.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BotCredentials } from './bot-credentials.service.js';
import { type BotMessage, BotMessages } from './bot-messages.service.js';
import { SET_BOT_BLOCKED } from './bot.statements.js';

/** The order's number and its tracking after the change. */
export interface ShippedOrder {
  id: number;
  messengerUserId: string;
  trackingUrl: string | null;
  carrier: string | null;
  trackingNumber: string | null;
}

/** What ship_order answers about its message. */
export type Notification = { notified: true } | { notified: false; notifyFailureReason: 'bot_not_configured' | SendFailure };

/** Turn and send together: with the database's part the call stays under 10 s when the messenger hangs. */
const NOTIFY_TIMEOUT_MS = 8_000;

/** Informs a shopper of what happened to an order, by the store's bot. For after the commit: the change stands whatever comes of it. */
@Injectable()
export class ShopperNotifier {
  constructor(
    private readonly messenger: Messenger,
    private readonly rate: SendRate,
    private readonly credentials: BotCredentials,
    private readonly messages: BotMessages,
  ) {}

  /**
   * Sends the store's shipped message, once and within 8 s. Never throws: a message that fails is no error of the call (spec, Errors).
   * A banned shopper is notified too: the ban shuts them out, it does not keep the parcel they paid for from them.
   */
  async shipped(ctx: StoreContext, order: ShippedOrder): Promise<Notification> {
    try {
      return await this.notify(ctx, order);
    } catch (error) {
      await ctx.session.rollback();
      ctx.log.error({ err: error, orderId: order.id }, 'the shopper could not be notified');
      return { notified: false, notifyFailureReason: 'send_failed' };
    }
  }

  private async notify(ctx: StoreContext, order: ShippedOrder): Promise<Notification> {
    const endsAt = performance.now() + NOTIFY_TIMEOUT_MS;
    const bot = await this.credentials.find(ctx);
    if (!bot) return { notified: false, notifyFailureReason: 'bot_not_configured' };
    const message = shippedMessage(await this.messages.find(ctx, 'shipped'), order);
    await this.turn(bot.botId, endsAt - performance.now());
    const outcome = await this.messenger.send(bot.token, order.messengerUserId, message, {
      timeoutMs: endsAt - performance.now(),
    });
    if (outcome.sent) return { notified: true };
    ctx.log.info({ orderId: order.id, detail: outcome.detail }, 'the shopper was not notified');
    if (outcome.blocked) {
      ctx.session.send(SET_BOT_BLOCKED, order.messengerUserId, true, ctx.now());
      await ctx.session.commit();
    }
    return { notified: false, notifyFailureReason: outcome.reason };
  }

  /** A turn at the bot's rate, or the end of the time: many calls for one bot at once wait in one line. */
  private async turn(botId: string, timeoutMs: number): Promise<void> {
    const over = new AbortController();
    await Promise.race([this.rate.take(botId), pause(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined)]);
    over.abort();
  }
}

/** The Track Order button only with a tracking URL, else carrier and number in the text (spec, ship_order). */
function shippedMessage(template: BotMessage, order: ShippedOrder): OutgoingMessage {
  const text = template.text.replaceAll('{orderId}', String(order.id));
  const { imageUrl } = template;
  if (order.trackingUrl)
    return { text, imageUrl, button: { text: template.buttonText ?? 'Track Order', url: order.trackingUrl } };
  const lines = [
    ...(order.carrier ? [`Carrier: ${order.carrier}`] : []),
    ...(order.trackingNumber ? [`Tracking number: ${order.trackingNumber}`] : []),
  ];
  return { text: [text, ...lines].join('\n'), imageUrl };
}
