import { Injectable } from '@nestjs/common';
import { newId } from '../../../platform/ids.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import {
  type Notification,
  outcomeOf,
  ShopperNotifier,
  type ToldOrder,
} from '../../bot/shopper-notifier.service.js';
import { NOTE_MESSAGE } from '../order/order.statements.js';

/** The outcome of a message that was not sent because the call was interrupted or took too long. */
export const NOT_SENT: Notification = { notified: false, notifyFailureReason: 'send_failed' };

/** Tells shoppers that their order was shipped, and records it for the order's timeline. */
@Injectable()
export class ShippedMessages {
  constructor(private readonly notifier: ShopperNotifier) {}

  /**
   * What a call says of its message until that is sent. A preview sends none: it says what the call would say
   * if the message arrives.
   */
  async before(ctx: StoreContext): Promise<Notification> {
    return ctx.session.isRehearsal ? this.notifier.expected(ctx) : NOT_SENT;
  }

  /** Never throws, because the order is already shipped. */
  async send(ctx: StoreContext, order: ToldOrder): Promise<Notification> {
    const { notification, detail } = await this.notifier.tell(ctx, 'shipped', order);
    await this.note(ctx, order.id, { outcome: outcomeOf(notification), detail });
    return notification;
  }

  private async note(
    ctx: StoreContext,
    orderId: number,
    said: { outcome: string; detail: string | null },
  ): Promise<void> {
    try {
      await ctx.session.query(NOTE_MESSAGE, {
        id: newId(),
        orderId,
        kind: 'shipped',
        ...said,
        sentBy: ctx.actor.name,
        createdAt: ctx.now(),
      });
      await ctx.session.commit();
    } catch (error) {
      await ctx.session.rollback();
      ctx.log.error({ err: error, orderId }, 'a message to the shopper was not noted');
    }
  }
}
