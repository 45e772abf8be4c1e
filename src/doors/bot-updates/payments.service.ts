import { Injectable } from '@nestjs/common';
import type { Shopper } from '../../groups/customers/first-contact.service.js';
import { OrderChanges } from '../../groups/orders/order-changes.service.js';
import type { PaymentOutcome } from '../../groups/payments/payments.dto.js';
import { type PayableOrder, ReceivedPayments } from '../../groups/payments/received-payments.service.js';
import { Messenger, type PaymentAnswer } from '../../messenger/messenger.js';
import { writeAudit } from '../../platform/store/audit.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BotReplies } from './bot-replies.service.js';
import type { BotSender } from './bot-sender.guard.js';
import { type BotUpdate, type InStore, type PaymentTerms, shippingDetails, type SuccessfulPayment } from './bot-update.js';

/** What a payment does not fit its order by. */
type Mismatch = Exclude<PaymentOutcome, 'accepted'>;

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
    private readonly messenger: Messenger,
    private readonly changes: OrderChanges,
    private readonly payments: ReceivedPayments,
    private readonly replies: BotReplies,
  ) {}

  /** Answers whether the shopper may pay: the order must be theirs, PENDING and of this price. Its stock was taken when it was placed. */
  async check(
    { bot, requestId }: BotSender,
    shopper: Shopper,
    query: NonNullable<BotUpdate['pre_checkout_query']>,
    inStore: InStore,
  ): Promise<void> {
    const order = await inStore((ctx) => this.payments.payable(ctx, orderIdOf(query)));
    const answer = answerFor(order, mismatchOf(order, shopper.id, query));
    this.replies.later('the answer to a pre-checkout query', requestId, () =>
      this.messenger.answerPreCheckout(bot.token, String(query.id), answer),
    );
  }

  /** Offers the one way of delivery there is: free, to any address. A shopper who may not pay the order hears so here already. */
  async offerDelivery(
    { bot, requestId }: BotSender,
    shopper: Shopper,
    query: NonNullable<BotUpdate['shipping_query']>,
    inStore: InStore,
  ): Promise<void> {
    const order = await inStore((ctx) => this.payments.payable(ctx, orderIdOf(query)));
    const answer = answerFor(order, strangeness(order, shopper.id));
    this.replies.later('the answer to a shipping query', requestId, () =>
      this.messenger.answerShipping(bot.token, String(query.id), answer),
    );
  }

  /**
   * Makes the order PROCESSING, once, however often the messenger reports the payment: its charge id is stored in the same
   * transaction. A payment that does not fit the order leaves it as it is; it is stored, audited and logged for the owner to look at.
   */
  async receive(shopper: Shopper, payment: SuccessfulPayment, inStore: InStore): Promise<void> {
    await inStore(async (ctx) => {
      if (!isWhole(payment)) return ctx.log.error('a payment could not be understood');
      const { currency, total_amount: amount, telegram_payment_charge_id: chargeId, invoice_payload: invoicePayload } = payment;
      const orderId = orderIdOf(payment);
      // The order first: two payments for it wait for each other here, and not for each other's foreign keys.
      const order = await this.payments.payable(ctx, orderId, { lock: true });
      const mismatch = mismatchOf(order, shopper.id, payment);
      const isNew = await this.payments.keep(ctx, {
        chargeId,
        providerChargeId: textOrNull(payment.provider_payment_charge_id),
        payerId: shopper.id,
        invoicePayload,
        orderId: order?.id ?? null,
        currency,
        amount,
        outcome: mismatch ?? 'accepted',
      });
      if (!isNew) return;
      if (mismatch === null) await this.accept(ctx, order!, payment);
      else ctx.log.warn({ orderId, mismatch }, 'a payment does not fit its order');
      writeAudit(ctx, {
        ...ctx.audit,
        operation: 'payment.receive',
        action: `payment.${mismatch ?? 'accepted'}`,
        transport: 'http',
        target: orderId === null ? undefined : `order:${orderId}`,
        input: { currency, amount, chargeId },
        outcome: 'ok',
      });
    });
  }

  /** Tip and details first, so that the event of the change carries them. What the shopper gave with the order is not overwritten. */
  private async accept(ctx: StoreContext, order: PayableOrder, payment: WholePayment): Promise<void> {
    const tip = BigInt(payment.total_amount) - BigInt(order.totalPrice);
    const details = shippingDetails(payment.order_info);
    const shippingAddress =
      details || order.shippingAddress ? { ...order.shippingAddress, ...details, ...order.shippingAddress } : null;
    if (tip > 0n || details) this.payments.apply(ctx, order.id, shippingAddress, tip);
    await this.changes.setStatus(ctx, Number(order.id), 'PROCESSING');
  }
}

/** A payment that can be stored: what cannot would fail each time it is repeated. */
type WholePayment = SuccessfulPayment & {
  telegram_payment_charge_id: string;
  invoice_payload: string;
  currency: string;
  total_amount: number;
};

function isWhole(payment: SuccessfulPayment): payment is WholePayment {
  const { telegram_payment_charge_id: chargeId, invoice_payload, currency, total_amount } = payment;
  const texts = [chargeId, invoice_payload, currency].every((text) => textOrNull(text) !== null);
  return texts && chargeId !== '' && Number.isSafeInteger(total_amount);
}

/** The messenger's own are far shorter; what is longer would not fit an index. */
const MAX_TEXT = 500;

const textOrNull = (value: unknown) =>
  typeof value === 'string' && value.length <= MAX_TEXT && !value.includes('\0') ? value : null;

/** The order an invoice is for, null when its payload is no order's id. */
function orderIdOf({ invoice_payload: payload }: Pick<PaymentTerms, 'invoice_payload'>): string | null {
  return typeof payload === 'string' && /^[1-9]\d{0,15}$/.test(payload) ? payload : null;
}

/** Why this person cannot pay the order, whatever the amount. */
function strangeness(order: PayableOrder | undefined, payerId: string): Mismatch | null {
  if (!order) return 'unknown_order';
  if (order.customerId !== payerId) return 'other_shopper';
  return order.status === 'PENDING' ? null : 'not_pending';
}

/** The right amount is the total, or up to the store's greatest tip more. */
function mismatchOf(order: PayableOrder | undefined, payerId: string, { currency, total_amount }: PaymentTerms): Mismatch | null {
  const strange = strangeness(order, payerId);
  if (!order || strange === 'other_shopper') return strange;
  if (order.currency !== currency) return 'other_currency';
  if (!Number.isSafeInteger(total_amount)) return 'other_amount';
  const tip = BigInt(total_amount as number) - BigInt(order.totalPrice);
  return tip < 0n || tip > BigInt(order.maxTip) ? 'other_amount' : strange;
}

function answerFor(order: PayableOrder | undefined, mismatch: Mismatch | null): PaymentAnswer {
  if (order?.isBanned) return { ok: false, message: 'You cannot order in this shop.' };
  return mismatch === null ? { ok: true } : { ok: false, message: REASONS[mismatch] };
}
