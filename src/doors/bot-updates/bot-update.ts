import type { StoreContext } from '../../platform/store/store-context.js';
import type { MessengerUser } from '../storefront/shopper/messenger-user.js';

/**
 * The parts of a bot update that the shop reads (https://core.telegram.org/bots/api#update). The messenger's
 * secret proves the sender, not the shape, so everything may be missing.
 */
export interface BotUpdate {
  message?: BotMessageUpdate | null;
  my_chat_member?: {
    from?: MessengerUser;
    chat?: { type?: unknown };
    new_chat_member?: { status?: unknown };
  } | null;
  shipping_query?: { id?: unknown; from?: MessengerUser; invoice_payload?: unknown } | null;
  pre_checkout_query?: (PaymentTerms & { id?: unknown; from?: MessengerUser }) | null;
}

export interface BotMessageUpdate {
  from?: MessengerUser;
  chat?: { type?: unknown };
  text?: unknown;
  successful_payment?: SuccessfulPayment | null;
  refunded_payment?: RefundedPayment | null;
}

/** Money that the messenger gave back (https://core.telegram.org/bots/api#refundedpayment). */
export interface RefundedPayment {
  telegram_payment_charge_id?: unknown;
}

/** What a shopper has paid, or is about to pay. */
export interface PaymentTerms {
  currency?: unknown;
  /** Minor units of the currency. */
  total_amount?: unknown;
  /** The order and its total, as InvoiceLinks wrote them. */
  invoice_payload?: unknown;
}

export interface SuccessfulPayment extends PaymentTerms {
  telegram_payment_charge_id?: unknown;
  provider_payment_charge_id?: unknown;
  /** The details that the payment form asked for, as configured with update_invoice_field_config. */
  order_info?: unknown;
}

/** Runs work in a transaction of the store, as the shopper. */
export type InStore = <Result>(work: (ctx: StoreContext) => Promise<Result>) => Promise<Result>;

/**
 * The payload of a `/start` command, which comes from the link that the shopper followed; null for any other
 * text. Several words were typed by hand, and are no payload.
 */
export function startPayload(text: unknown): { payload: string | null } | null {
  const found = typeof text === 'string' ? /^\/start(?:@\w+)?(?:\s+(.*))?$/s.exec(text) : null;
  if (!found) return null;
  const words = (found[1] ?? '').split(/\s+/).filter((word) => word !== '');
  return { payload: words.length === 1 ? words[0] : null };
}

export const isStop = (text: unknown): boolean =>
  typeof text === 'string' && /^\/stop(?:@\w+)?\s*$/.test(text);
