import { Injectable } from '@nestjs/common';
import type { Shopper } from '../../groups/customers/first-contact.service.js';
import { OrderChanges } from '../../groups/orders/changing/order-changes.service.js';
import type { PaymentOutcome } from '../../groups/payments/payments.dto.js';
import { type Invoiced, readPayload } from '../../groups/payments/invoice-request.js';
import { type PayableOrder, ReceivedPayments } from '../../groups/payments/received-payments.service.js';
import { Messenger, type PaymentAnswer } from '../../messenger/messenger.js';
import { writeAudit } from '../../platform/store/audit.js';
import type { AuditDraft, StoreContext } from '../../platform/store/store-context.js';
import { wordsOf } from '../../stores/store-profile.js';
import type { StoreWords } from '../../stores/words/store-words.js';
import { BotReplies } from './bot-replies.service.js';
import type { BotSender } from './bot-sender.guard.js';
import {
  type BotUpdate,
  type InStore,
  type PaymentTerms,
  type RefundedPayment,
  type SuccessfulPayment,
} from './bot-update.js';
import { joined, payerDetails } from './payer-details.js';

/** Why a payment does not match its order. */
type Mismatch = Exclude<PaymentOutcome, 'accepted'>;

/** Handles payments that shoppers make in the messenger (docs/behaviour.md §6.13). */
@Injectable()
export class Payments {
  constructor(
    private readonly messenger: Messenger,
    private readonly changes: OrderChanges,
    private readonly payments: ReceivedPayments,
    private readonly replies: BotReplies,
  ) {}

  /**
   * Answers whether the shopper may pay: the order must be theirs, be PENDING and have the total of the
   * invoice. Stock is not checked, because it was taken when the order was placed. The order is locked, so
   * that it is not cancelled as unpaid once its payment has been accepted.
   */
  async check(
    { bot, requestId }: BotSender,
    shopper: Shopper,
    query: NonNullable<BotUpdate['pre_checkout_query']>,
    inStore: InStore,
  ): Promise<void> {
    const invoiced = readPayload(query.invoice_payload);
    const answer = await inStore(async (ctx) => {
      const order = await this.payments.payable(ctx, invoiced?.orderId ?? null, { lock: true });
      const isStale = invoiced?.total === null ? 'other_amount' : null;
      const mismatch = mismatchOf(order, shopper.id, query, invoiced) ?? isStale;
      const found = answerFor(order, mismatch, await wordsOf(ctx));
      if (found.ok) this.payments.expect(ctx, order!.id);
      return found;
    });
    this.replies.later('the answer to a pre-checkout query', requestId, () =>
      this.messenger.answerPreCheckout(bot.token, String(query.id), answer),
    );
  }

  /**
   * Offers the only delivery option: free, to any address. A shopper who may not pay for the order is already
   * refused here.
   */
  async offerDelivery(
    { bot, requestId }: BotSender,
    shopper: Shopper,
    query: NonNullable<BotUpdate['shipping_query']>,
    inStore: InStore,
  ): Promise<void> {
    const orderId = readPayload(query.invoice_payload)?.orderId ?? null;
    const answer = await inStore(async (ctx) => {
      const order = await this.payments.payable(ctx, orderId);
      return answerFor(order, payerMismatchOf(order, shopper.id), await wordsOf(ctx));
    });
    this.replies.later('the answer to a shipping query', requestId, () =>
      this.messenger.answerShipping(bot.token, String(query.id), answer),
    );
  }

  /**
   * Sets the order to PROCESSING. This happens only once, however often the messenger reports the payment,
   * because the charge id is stored in the same transaction. A payment that does not match the order does not
   * change it; the payment is stored, audited and logged, so that the owner can look into it.
   */
  async receive(shopper: Shopper, payment: SuccessfulPayment, inStore: InStore): Promise<void> {
    await inStore(async (ctx) => {
      if (!isStorable(payment)) return ctx.log.error('a payment could not be understood');
      const {
        currency,
        total_amount: amount,
        telegram_payment_charge_id: chargeId,
        invoice_payload: invoicePayload,
      } = payment;
      const invoiced = readPayload(payment.invoice_payload);
      const orderId = invoiced?.orderId ?? null;
      // The order is locked first, so that two payments for it wait for each other here. Otherwise each could
      // wait for the lock that the other's foreign key has taken.
      const order = await this.payments.payable(ctx, orderId, { lock: true });
      const mismatch = mismatchOf(order, shopper.id, payment, invoiced);
      const isNew = await this.payments.keep(ctx, {
        chargeId,
        providerChargeId: textOrNull(payment.provider_payment_charge_id),
        payerId: shopper.id,
        invoicePayload,
        orderId: order?.id ?? null,
        currency,
        amount,
        outcome: mismatch ?? 'accepted',
        orderInfo: payerDetails(payment.order_info),
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

  /**
   * Notes that the messenger gave money back. If the payment had been accepted for an order, this is a refund
   * of the order, whose status stays; it happens only once, however often the messenger reports it.
   */
  async refund(payment: RefundedPayment, inStore: InStore): Promise<void> {
    const chargeId = textOrNull(payment.telegram_payment_charge_id);
    await inStore(async (ctx) => {
      const refunded = chargeId === null ? null : await this.payments.refund(ctx, chargeId);
      if (!refunded) return ctx.log.warn({ chargeId }, 'a refund of an unknown payment, or a known one');
      const { orderId, amount, currency, outcome } = refunded;
      writeAudit(ctx, {
        ...ctx.audit,
        operation: 'payment.refund',
        action: `payment.refund.${outcome}`,
        transport: 'http',
        target: orderId === null ? undefined : `order:${orderId}`,
        input: { currency, amount: Number(amount), chargeId },
        outcome: 'ok',
      });
    });
  }

  /**
   * Applies the tip and the details before the status, so that the event of the change includes them. Details
   * that the shopper gave with the order are not overwritten.
   */
  private async accept(ctx: StoreContext, order: PayableOrder, payment: StorablePayment): Promise<void> {
    const tip = BigInt(payment.total_amount) - BigInt(order.totalPrice);
    const typed = payerDetails(payment.order_info);
    const shippingAddress = typed ? joined(order.shippingAddress, typed) : order.shippingAddress;
    this.payments.apply(ctx, order.id, { shippingAddress, tip, amount: payment.total_amount });
    await this.changes.changeStatus(ctx, Number(order.id), 'PROCESSING');
    if (tip > 0n) ctx.audit.changes = { ...ctx.audit.changes, ...tipChanges(order, tip) };
  }
}

/** The changes that a tip makes to the order, for the audit log. */
const tipChanges = ({ totalPrice, tipAmount }: PayableOrder, tip: bigint): AuditDraft['changes'] => ({
  totalPrice: [Number(totalPrice), Number(BigInt(totalPrice) + tip)],
  tipAmount: [tipAmount === null ? null : Number(tipAmount), Number(BigInt(tipAmount ?? 0) + tip)],
});

/** A payment that can be stored. Any other would fail again each time the messenger repeats it. */
type StorablePayment = SuccessfulPayment & {
  telegram_payment_charge_id: string;
  invoice_payload: string;
  currency: string;
  total_amount: number;
};

function isStorable(payment: SuccessfulPayment): payment is StorablePayment {
  const { telegram_payment_charge_id: chargeId, invoice_payload, currency, total_amount } = payment;
  const texts = [chargeId, invoice_payload, currency].every((text) => textOrNull(text) !== null);
  return texts && chargeId !== '' && Number.isSafeInteger(total_amount);
}

/** The messenger's own texts are far shorter, and a much longer one would not fit an index. */
const MAX_TEXT = 500;

const textOrNull = (value: unknown) =>
  typeof value === 'string' && value.length <= MAX_TEXT && !value.includes('\0') ? value : null;

/** Why this person cannot pay for the order, regardless of the amount; null if they can. */
function payerMismatchOf(order: PayableOrder | undefined, payerId: string): Mismatch | null {
  if (!order) return 'unknown_order';
  if (order.customerId !== payerId) return 'other_shopper';
  return order.status === 'PENDING' ? null : 'not_pending';
}

/**
 * Why the payment does not match the order; null if it does. The invoice must be of the order's present total
 * without tip, and what is paid beyond the order's total is a tip. An invoice that names no total was made by
 * an earlier version; a payment of exactly the order's total is still right.
 */
function mismatchOf(
  order: PayableOrder | undefined,
  payerId: string,
  { currency, total_amount }: PaymentTerms,
  invoiced: Invoiced | null,
): Mismatch | null {
  const payerMismatch = payerMismatchOf(order, payerId);
  if (!order || payerMismatch === 'other_shopper') return payerMismatch;
  if (order.currency !== currency) return 'other_currency';
  if (!Number.isSafeInteger(total_amount)) return 'other_amount';
  const ownTip = BigInt(order.tipAmount ?? 0);
  const total = BigInt(order.totalPrice) - ownTip;
  if (invoiced?.total && BigInt(invoiced.total) !== total) return 'other_amount';
  const tip = BigInt(total_amount as number) - total;
  const mostTip = invoiced?.total && BigInt(order.maxTip) > ownTip ? BigInt(order.maxTip) : ownTip;
  return tip < ownTip || tip > mostTip ? 'other_amount' : payerMismatch;
}

/** What the shopper reads if a payment is refused before it is made. */
function answerFor(
  order: PayableOrder | undefined,
  mismatch: Mismatch | null,
  { refusals }: StoreWords,
): PaymentAnswer {
  if (order?.isBanned) return { ok: false, message: refusals.banned };
  return mismatch === null ? { ok: true } : { ok: false, message: refusals[mismatch] };
}
