import type { InvoiceFieldConfigRecord } from '../invoice-fields/invoice-fields.dto.js';
import type { OrderRecord } from '../orders/order/order.record.js';
import type { OrderPricingRecord } from '../orders/reading/order-sales.dto.js';
import type { StoreWords } from '../../stores/words/store-words.js';
import type { InvoicePrice, PaymentRequest } from '../../messenger/messenger.js';

/** What an invoice is made of. */
export interface Invoice {
  order: OrderRecord;
  pricing: Pick<OrderPricingRecord, 'adjustments' | 'promocode' | 'bonus'>;
  fields: InvoiceFieldConfigRecord;
  /** Empty for XTR. */
  providerToken: string;
  words: StoreWords;
}

const MAX_DESCRIPTION_LENGTH = 255;
const MAX_LABEL_LENGTH = 100;
/** The most suggested tips that the messenger shows. */
const MAX_SUGGESTED_TIPS = 4;

/**
 * Creates the messenger's invoice for an order: the total, line by line, and the details that the store asks
 * the payer for (docs/behaviour.md §6.13).
 */
export function paymentRequest(invoice: Invoice): PaymentRequest {
  const { order, fields, providerToken, words } = invoice;
  // The tip of the order counts too.
  const maxTipAmount = Math.max(0, (fields.maxTipAmount ?? 0) - (order.tipAmount ?? 0));
  const title = words.order(order.id);
  return {
    title,
    description: cut(
      order.items.map(({ quantity, title }) => `${quantity} × ${title}`).join(', '),
      MAX_DESCRIPTION_LENGTH,
    ),
    payload: invoicePayload(order),
    providerToken,
    currency: order.currency,
    // An invoice in Stars must have exactly one price.
    prices: order.currency === 'XTR' ? [{ label: title, amount: order.totalPrice }] : pricesOf(invoice),
    maxTipAmount,
    suggestedTipAmounts: suggestedTips(fields.suggestedTipAmounts, maxTipAmount),
    needName: fields.needName,
    needPhoneNumber: fields.needPhoneNumber,
    needEmail: fields.needEmail,
    needShippingAddress: fields.needShippingAddress,
    isFlexible: fields.isFlexible,
  };
}

/** What the payload of an invoice says. */
export interface Invoiced {
  orderId: string;
  /**
   * The total without tip for which the invoice was made, in minor units; null for an invoice of a version
   * that did not say it.
   */
  total: string | null;
}

const PAYLOAD = /^([1-9]\d{0,15})(?::(\d{1,16}))?$/;

/** An invoice is of one total, so it names the total beside the order. */
const invoicePayload = ({ id, totalPrice, tipAmount }: OrderRecord) =>
  `${id}:${totalPrice - (tipAmount ?? 0)}`;

/** @returns null for a payload that no invoice of the service has */
export function readPayload(payload: unknown): Invoiced | null {
  const found = typeof payload === 'string' ? PAYLOAD.exec(payload) : null;
  return found && { orderId: found[1], total: found[2] ?? null };
}

/**
 * The lines, then what the form, the promocode and the bonus change, each by its name, then the tip of the
 * order. They add up to the total.
 */
function pricesOf({ order, pricing, words }: Invoice): InvoicePrice[] {
  const { adjustments, promocode, bonus } = pricing;
  const lines = order.items.map(({ title, variantValue, quantity, price }) => ({
    label: `${quantity} × ${title}${variantValue ? ` (${variantValue})` : ''}`,
    amount: price * quantity,
  }));
  const changes = adjustments.map(({ label, amount }) => ({
    label: label?.trim() || (amount < 0 ? words.discount : words.surcharge),
    amount,
  }));
  return [
    ...lines,
    ...changes,
    ...(promocode ? [{ label: words.promocode(promocode.code), amount: -promocode.amount }] : []),
    { label: words.bonus, amount: -bonus },
    { label: words.tip, amount: order.tipAmount ?? 0 },
  ]
    .filter(({ amount }, i) => amount !== 0 || i < lines.length)
    .map(({ label, amount }) => ({ label: cut(label, MAX_LABEL_LENGTH), amount }));
}

/** The messenger requires suggested tips in ascending order, without duplicates and not above the maximum. */
function suggestedTips(configured: number[], max: number): number[] {
  return [...new Set(configured)]
    .filter((tip) => tip <= max)
    .sort((a, b) => a - b)
    .slice(0, MAX_SUGGESTED_TIPS);
}

/**
 * Cuts a text to so many UTF-16 code units. Such a text is short enough, whether the messenger counts code
 * units or characters.
 */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
