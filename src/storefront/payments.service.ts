import { Inject, Injectable } from '@nestjs/common';
import type { Shopper } from '../groups/customers/first-contact.service.js';
import { OrderChanges } from '../groups/orders/order-changes.service.js';
import { Messenger } from '../messenger/messenger.js';
import { writeAudit } from '../platform/audit/audit.js';
import type { StoreContext } from '../platform/operation/store-context.js';
import { BotReplies } from './bot-replies.service.js';
import type { BotSender } from './bot-sender.guard.js';
import { type BotUpdate, type InStore, type PaymentTerms, shippingDetails, type SuccessfulPayment } from './bot-update.js';
import { FIND_PAYABLE, INSERT_PAYMENT, KEEP_SHIPPING_DETAILS, LOCK_PAYABLE, type PayableOrder } from './payment.statements.js';

export type Mismatch = 'unknown_order' | 'other_shopper' | 'other_currency' | 'other_amount' | 'not_pending';

/** What the shopper reads when a payment is refused before it is made. */
const REASONS: Record<Mismatch, string> = {
  unknown_order: 'This order does not exist any more.',
  other_shopper: 'This order belongs to somebody else.',
  other_currency: 'The currency of this invoice is not that of the order.',
  other_amount: 'The price of this order has changed. Please open it again.',
  not_pending: 'This order is paid already, or was cancelled.',
};

/** Payments that shoppers make in the messenger. An invoice's payload is the order's id. */
@Injectable()
export class Payments {
  constructor(
    @Inject(Messenger) private readonly messenger: Messenger,
    @Inject(OrderChanges) private readonly changes: OrderChanges,
    @Inject(BotReplies) private readonly replies: BotReplies,
  ) {}

  /** Answers whether the shopper may pay: the order must be theirs, PENDING and of this price. Its stock was taken when it was placed. */
  async check(
    { bot, requestId }: BotSender,
    shopper: Shopper,
    query: NonNullable<BotUpdate['pre_checkout_query']>,
    inStore: InStore,
  ): Promise<void> {
    const [order] = await inStore((ctx) => ctx.session.read<PayableOrder>(FIND_PAYABLE, orderIdOf(query)));
    const mismatch = mismatchOf(order, shopper.id, query);
    const reason = order?.isBanned ? 'You cannot order in this shop.' : mismatch && REASONS[mismatch];
    const answer = reason === null ? ({ ok: true } as const) : ({ ok: false, message: reason } as const);
    this.replies.later('the answer to a pre-checkout query', requestId, () =>
      this.messenger.answerPreCheckout(bot.token, String(query.id), answer),
    );
  }

  /**
   * Makes the order PROCESSING, once, however often the messenger tells of the payment: its charge id is stored in the same
   * transaction. A payment that does not fit the order leaves it as it is; it is stored, audited and logged for the owner to look at.
   */
  async receive(shopper: Shopper, payment: SuccessfulPayment, inStore: InStore): Promise<void> {
    await inStore(async (ctx) => {
      if (!isWhole(payment)) return ctx.log.error({ requestId: ctx.requestId }, 'a payment could not be understood');
      const orderId = orderIdOf(payment);
      // The order first: two payments for it wait for each other here, and not for each other's foreign keys.
      const [order] = await ctx.session.run<PayableOrder>(LOCK_PAYABLE, orderId);
      const mismatch = mismatchOf(order, shopper.id, payment);
      const isNew = await store(ctx, shopper, payment, order?.id ?? null, mismatch ?? 'accepted');
      if (!isNew) return;
      if (mismatch === null) await this.accept(ctx, order.id, payment);
      else
        ctx.log.warn({ requestId: ctx.requestId, storeId: ctx.storeId, orderId, mismatch }, 'a payment does not fit its order');
      const { currency, total_amount: amount, telegram_payment_charge_id: chargeId } = payment;
      writeAudit(ctx, {
        ...ctx.audit,
        operation: 'payment.receive',
        action: `payment.${mismatch ?? 'accepted'}`,
        transport: 'http',
        target: orderId ?? undefined,
        input: { currency, amount, chargeId },
        outcome: 'ok',
      });
    });
  }

  /** The details first, so that the event of the change carries them. */
  private async accept(ctx: StoreContext, orderId: string, { order_info: info }: SuccessfulPayment): Promise<void> {
    const details = shippingDetails(info);
    if (details) ctx.session.defer(KEEP_SHIPPING_DETAILS, orderId, JSON.stringify(details));
    await this.changes.setStatus(ctx, Number(orderId), 'PROCESSING');
  }
}

/** What cannot be stored would fail each time it is repeated. */
function isWhole({ telegram_payment_charge_id: chargeId, invoice_payload, currency, total_amount }: SuccessfulPayment): boolean {
  const texts = [chargeId, invoice_payload, currency].every((text) => typeof text === 'string' && !text.includes('\0'));
  return texts && chargeId !== '' && Number.isSafeInteger(total_amount);
}

/** @returns whether this is the first time the payment is told of */
async function store(
  ctx: StoreContext,
  shopper: Shopper,
  payment: SuccessfulPayment,
  orderId: string | null,
  outcome: Mismatch | 'accepted',
): Promise<boolean> {
  const { telegram_payment_charge_id: chargeId, provider_payment_charge_id: providerChargeId } = payment;
  const { invoice_payload: payload, currency, total_amount: amount } = payment;
  const values = [chargeId, providerChargeId ?? null, shopper.id, payload, orderId, currency, amount, outcome, ctx.now()];
  return (await ctx.session.run(INSERT_PAYMENT, ...values)).length > 0;
}

/** The order an invoice is for, null when its payload is no order's id. */
function orderIdOf({ invoice_payload: payload }: PaymentTerms): string | null {
  return typeof payload === 'string' && /^[1-9]\d{0,15}$/.test(payload) ? payload : null;
}

function mismatchOf(order: PayableOrder | undefined, payerId: string, { currency, total_amount }: PaymentTerms): Mismatch | null {
  if (!order) return 'unknown_order';
  if (order.customerId !== payerId) return 'other_shopper';
  if (order.currency !== currency) return 'other_currency';
  if (order.totalPrice !== String(total_amount)) return 'other_amount';
  return order.status === 'PENDING' ? null : 'not_pending';
}
