/** Why a message did not arrive: spec's `notifyFailureReason` without bot_not_configured, which the caller decides. */
export type SendFailure = 'unreachable' | 'send_failed';

/**
 * What became of one message. `unreachable`: this user cannot be written to (blocked the bot, deactivated, never wrote
 * to it). `blocked` is true only when the user blocked the bot. `retryAfterSeconds` is there when the messenger asked
 * for a longer pause than the deadline allowed: nothing was sent, and trying again after the pause is safe. Without it,
 * a `send_failed` by time-out, 5xx or a broken connection may still have reached the user.
 */
export type SendOutcome =
  | { sent: true; messageId: number | null }
  | { sent: false; reason: SendFailure; blocked: boolean; detail: string; retryAfterSeconds?: number };

/** Plain text: markup in it is shown as it was written. */
export interface OutgoingMessage {
  text: string;
  imageUrl?: string | null;
  button?: { text: string; url: string } | null;
}

/** An amount of an invoice, in minor units of its currency; a discount is below 0. */
export interface InvoicePrice {
  label: string;
  amount: number;
}

/** What a shopper is asked to pay in the messenger (https://core.telegram.org/bots/api#createinvoicelink). */
export interface PaymentRequest {
  /** 1 to 32 characters. */
  title: string;
  /** 1 to 255 characters. */
  description: string;
  /** Comes back with the payment; 1 to 128 bytes. */
  payload: string;
  /** Of the payment provider; empty for XTR. */
  providerToken: string;
  currency: string;
  /** Exactly one for XTR. */
  prices: InvoicePrice[];
  /** Minor units; 0 offers no tip. */
  maxTipAmount: number;
  /** Minor units: at most 4, rising, none above `maxTipAmount`. */
  suggestedTipAmounts: number[];
  needName: boolean;
  needPhoneNumber: boolean;
  needEmail: boolean;
  needShippingAddress: boolean;
  /** The messenger sends a shipping query before the payment. */
  isFlexible: boolean;
}

/** The answer to a question the messenger asks before a payment. */
export type PaymentAnswer = { ok: true } | { ok: false; message: string };

export interface BotIdentity {
  botId: string;
  username: string;
}

/** The messenger refused the bot token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** The messenger could not be reached, did not answer in time, or refused the call for another reason than the token. */
export class MessengerUnavailable extends Error {
  override readonly name = 'MessengerUnavailable';
}

/**
 * The chat platform, as much of it as a shop needs. User ids are 64-bit numbers carried as strings. No error or outcome
 * of these methods contains the bot token. An abstract class, so that it is its own injection token.
 */
export abstract class Messenger {
  /** Whose token this is. Throws TokenRefused or MessengerUnavailable, within 10 s. */
  abstract identify(token: string): Promise<BotIdentity>;

  /** Has the bot's updates sent to `url` with `secretToken` as proof. Throws TokenRefused or MessengerUnavailable, within 10 s. */
  abstract setWebhook(token: string, url: string, secretToken: string): Promise<void>;

  /** Has the bot's updates sent nowhere. Throws TokenRefused or MessengerUnavailable, within 10 s. */
  abstract deleteWebhook(token: string): Promise<void>;

  /** Sends one message, at most once. `timeoutMs` bounds the whole call, pauses included. Never throws for a failed send. */
  abstract send(token: string, userId: string, message: OutgoingMessage, deadline: { timeoutMs: number }): Promise<SendOutcome>;

  /** The address of an invoice that a Mini App opens. Throws TokenRefused or MessengerUnavailable, within 5 s. */
  abstract createInvoiceLink(token: string, request: PaymentRequest): Promise<string>;

  /** Offers free delivery to the address of a shipping query, or refuses it. Throws TokenRefused or MessengerUnavailable, within 8 s. */
  abstract answerShipping(token: string, queryId: string, answer: PaymentAnswer): Promise<void>;

  /** Accepts or refuses a payment about to be made. Throws TokenRefused or MessengerUnavailable, within 8 s. */
  abstract answerPreCheckout(token: string, queryId: string, answer: PaymentAnswer): Promise<void>;
}
