import { Injectable } from '@nestjs/common';
import { SET_BOT_BLOCKED } from '../../groups/bot/bot.statements.js';
import { FirstContact, type Shopper } from '../../groups/customers/first-contact.service.js';
import { type Actor, suspension } from '../../platform/store/call.js';
import { StoreDatabase, type StoreContext } from '../../platform/store/store-context.js';
import type { BotSender } from './bot-sender.guard.js';
import { type BotMessageUpdate, type BotUpdate, type InStore, isStop, startPayload } from './bot-update.js';
import { nameOf, pageOf, referrerOf, shopperOf } from '../storefront/shopper/messenger-user.js';
import { isNoticeCode } from '../../notices/chats/notice-chats.service.js';
import { MemberChats } from './member-chats.service.js';
import { Payments } from './payments.service.js';
import { Welcome } from './welcome.service.js';

/** The sender of a refund: the message may name the shopper or the bot. */
const MESSENGER = { kind: 'system', id: null, name: 'messenger' } as const;

/**
 * Handles what shoppers do with a store's bot (docs/behaviour.md §11). Updates of other kinds are accepted
 * and ignored.
 */
@Injectable()
export class BotUpdates {
  constructor(
    private readonly database: StoreDatabase,
    private readonly contacts: FirstContact,
    private readonly payments: Payments,
    private readonly welcome: Welcome,
    private readonly members: MemberChats,
  ) {}

  /**
   * @throws OperationError forbidden if the store is suspended, except for a payment that has been made.
   * Otherwise only for errors of the service: the messenger then sends the update again, and every part of
   * this can be repeated
   */
  async handle(sender: BotSender, update: BotUpdate): Promise<void> {
    const { message, my_chat_member: member, pre_checkout_query: query, shipping_query: shipping } = update;
    const suspended = suspension(sender.store);
    if (suspended !== undefined && !message?.successful_payment && !message?.refunded_payment)
      throw suspended;
    if (message?.refunded_payment)
      return this.payments.refund(message.refunded_payment, (work) => this.inStore(sender, MESSENGER, work));
    const shopper = shopperOf((query ?? shipping ?? member ?? message)?.from);
    if (!shopper) return;
    const actor = { kind: 'shopper', id: shopper.id, name: nameOf(shopper) } as const;
    const inStore: InStore = (work) => this.inStore(sender, actor, work);
    if (query) return this.payments.check(sender, shopper, query, inStore);
    if (shipping) return this.payments.offerDelivery(sender, shopper, shipping, inStore);
    if (member)
      return this.noteMembership(sender, shopper, member.chat?.type, member.new_chat_member?.status, inStore);
    if (message?.successful_payment)
      return this.payments.receive(shopper, message.successful_payment, inStore);
    if (message) return this.greet(sender, shopper, message, inStore);
  }

  /**
   * Records whether a known shopper has blocked the bot. An unknown shopper becomes a customer only with the
   * first /start, which says who referred them.
   */
  private async noteMembership(
    sender: BotSender,
    shopper: Shopper,
    chatType: unknown,
    status: unknown,
    inStore: InStore,
  ): Promise<void> {
    if (chatType !== 'private' || (status !== 'kicked' && status !== 'member')) return;
    const known = { customerId: shopper.id, isBlocked: status === 'kicked' };
    await inStore((ctx) => ctx.session.query(SET_BOT_BLOCKED, { ...known, now: ctx.now() }));
    if (known.isBlocked) await this.members.noteBlocked(sender, shopper.id, inStore);
  }

  private async greet(
    sender: BotSender,
    shopper: Shopper,
    { chat, text }: BotMessageUpdate,
    inStore: InStore,
  ): Promise<void> {
    const start = startPayload(text);
    if (chat?.type !== 'private') return;
    if (isStop(text)) return this.members.stop(sender, shopper.id, inStore);
    if (!start) return;
    if (isNoticeCode(start.payload)) return this.members.link(sender, shopper.id, start.payload, inStore);
    const { isBanned } = await inStore(async (ctx) => {
      const known = await this.contacts.touch(ctx, shopper, referrerOf(start.payload));
      ctx.session.enqueue(SET_BOT_BLOCKED, { customerId: shopper.id, isBlocked: false, now: ctx.now() });
      return known;
    });
    if (!isBanned) this.welcome.send(sender, shopper.id, inStore, pageOf(start.payload));
  }

  private inStore<Result>(
    { store, requestId }: BotSender,
    actor: Actor,
    work: (ctx: StoreContext) => Promise<Result>,
  ): Promise<Result> {
    return this.database.inStore({ storeId: store.id, currency: store.currency, actor }, work, requestId);
  }
}
