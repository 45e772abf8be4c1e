/**
 * Why a message did not arrive: the spec's `notifyFailureReason` without bot_not_configured, which the caller
 * determines.
 */
export type SendFailure = 'unreachable' | 'send_failed';

/**
 * The outcome of one message. `unreachable` means that this user cannot receive messages: they blocked the
 * bot, are deactivated, or never wrote to it. `blocked` is true only if the user blocked the bot.
 * `retryAfterSeconds` is set if the messenger asked for a longer pause than the deadline allowed: nothing was
 * sent, and it is safe to try again after the pause. Without it, a message with `send_failed` after a
 * timeout, a 5xx or a broken connection may still have reached the user. `pictureRefused` is the messenger's
 * sentence about a picture without which the message was sent.
 */
export type SendOutcome =
  | { sent: true; messageId: number | null; pictureRefused?: string }
  | { sent: false; reason: SendFailure; blocked: boolean; detail: string; retryAfterSeconds?: number };

/** A message in plain text. Markup in it is not interpreted. */
export interface OutgoingMessage {
  text: string;
  imageUrl?: string | null;
  /** Whether the picture is a link preview alone, since the messenger has refused it before. */
  isPictureLinked?: boolean;
  /** A link, and below it one that opens a Mini App inside the messenger. */
  button?: { text: string; url: string } | null;
  appButton?: { text: string; url: string } | null;
}

/** An amount of an invoice, in minor units of its currency. A discount is negative. */
export interface InvoicePrice {
  label: string;
  amount: number;
}

/** A request for a payment in the messenger (https://core.telegram.org/bots/api#createinvoicelink). */
export interface PaymentRequest {
  /** 1 to 32 characters. */
  title: string;
  /** 1 to 255 characters. */
  description: string;
  /** Returned with the payment; 1 to 128 bytes. */
  payload: string;
  /** The payment provider's token; empty for XTR. */
  providerToken: string;
  currency: string;
  /** Exactly one for XTR. */
  prices: InvoicePrice[];
  /** In minor units; 0 means that no tip is offered. */
  maxTipAmount: number;
  /** In minor units: at most 4, in rising order, none above `maxTipAmount`. */
  suggestedTipAmounts: number[];
  needName: boolean;
  needPhoneNumber: boolean;
  needEmail: boolean;
  needShippingAddress: boolean;
  /** Whether the messenger sends a shipping query before the payment. */
  isFlexible: boolean;
}

/** The answer to a query that the messenger sends before a payment. */
export type PaymentAnswer = { ok: true } | { ok: false; message: string };

export interface BotIdentity {
  botId: string;
  username: string;
  /** Whether the bot's owner has set a main Mini App. */
  hasMainApp: boolean;
}

/** The messenger refused the bot token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/**
 * The messenger could not be reached, did not answer in time, or refused the call for another reason than the
 * token.
 */
export class MessengerUnavailable extends Error {
  override readonly name = 'MessengerUnavailable';
}

/**
 * The chat platform, as far as a shop needs it. User ids are 64-bit numbers in strings. No error or outcome
 * of these methods contains the bot token. This is an abstract class so that it can be its own injection
 * token.
 */
export abstract class Messenger {
  /** Returns the bot that a token belongs to. Throws TokenRefused or MessengerUnavailable, within 10 s. */
  abstract identify(token: string): Promise<BotIdentity>;

  /**
   * Makes the messenger send the bot's updates to `url`, with `secretToken` as proof. Throws TokenRefused or
   * MessengerUnavailable, within 10 s.
   */
  abstract setWebhook(token: string, url: string, secretToken: string): Promise<void>;

  /**
   * The address of the Mini App that the button beside the input field of the bot's chats opens; null if it
   * opens none. Throws TokenRefused or MessengerUnavailable, within 10 s.
   */
  abstract menuApp(token: string): Promise<string | null>;

  /** Makes that button open a Mini App, or what it opened at first. Throws as menuApp, within 10 s. */
  abstract setMenuApp(token: string, app: { text: string; url: string } | null): Promise<void>;

  /**
   * Makes the messenger stop sending the bot's updates. Throws TokenRefused or MessengerUnavailable, within
   * 10 s.
   */
  abstract deleteWebhook(token: string): Promise<void>;

  /**
   * Sends one message, at most once. `timeoutMs` limits the whole call, including pauses. A failed send does
   * not throw.
   */
  abstract sendMessage(
    token: string,
    userId: string,
    message: OutgoingMessage,
    deadline: { timeoutMs: number },
  ): Promise<SendOutcome>;

  /**
   * Creates an invoice and returns its address, which a Mini App opens. Throws TokenRefused or
   * MessengerUnavailable, within 5 s.
   */
  abstract createInvoiceLink(token: string, request: PaymentRequest): Promise<string>;

  /**
   * Offers free delivery to the address of a shipping query, or refuses it. Throws TokenRefused or
   * MessengerUnavailable, within 8 s.
   */
  abstract answerShipping(token: string, queryId: string, answer: PaymentAnswer): Promise<void>;

  /**
   * Accepts or refuses a payment before it is made. Throws TokenRefused or MessengerUnavailable, within 8 s.
   */
  abstract answerPreCheckout(token: string, queryId: string, answer: PaymentAnswer): Promise<void>;
}
