import type { InvoiceFieldConfigRecord } from '../invoice-fields/invoice-fields.dto.js';
import type { OrderRecord } from '../orders/order.record.js';
import type { InvoicePrice, PaymentRequest } from '../../messenger/messenger.js';

const MAX_DESCRIPTION_LENGTH = 255;
const MAX_LABEL_LENGTH = 100;
/** The most suggested tips that the messenger shows. */
const MAX_SUGGESTED_TIPS = 4;

/**
 * Creates the messenger's invoice for an order: the total, line by line, and the details that the store asks
 * the payer for (docs/behaviour.md §6.13).
 * @param providerToken empty for XTR
 */
export function paymentRequest(
  order: OrderRecord,
  fields: InvoiceFieldConfigRecord,
  providerToken: string,
): PaymentRequest {
  // The tip of the order counts too.
  const maxTipAmount = Math.max(0, (fields.maxTipAmount ?? 0) - (order.tipAmount ?? 0));
  const title = `Order ${order.id}`;
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
    prices: order.currency === 'XTR' ? [{ label: title, amount: order.totalPrice }] : pricesOf(order),
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
 * The lines, then one discount or surcharge for the form, promocode and bonus, then the tip of the order.
 * They add up to the total.
 */
function pricesOf({ items, tipAmount, totalPrice }: OrderRecord): InvoicePrice[] {
  const lines = items.map(({ title, variantValue, quantity, price }) => ({
    label: cut(`${quantity} × ${title}${variantValue ? ` (${variantValue})` : ''}`, MAX_LABEL_LENGTH),
    amount: price * quantity,
  }));
  const tip = tipAmount ?? 0;
  const rest = totalPrice - tip - lines.reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...lines,
    ...(rest === 0 ? [] : [{ label: rest < 0 ? 'Discounts' : 'Surcharges', amount: rest }]),
    ...(tip === 0 ? [] : [{ label: 'Tip', amount: tip }]),
  ];
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
