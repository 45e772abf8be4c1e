import { setTimeout as pause } from 'node:timers/promises';
import { Api, type ApiClientOptions } from 'grammy/web';
import { type BotApiFailure, describeFailure } from './bot-api-failure.js';
import {
  type BotIdentity,
  Messenger,
  MessengerUnavailable,
  type OutgoingMessage,
  type PaymentAnswer,
  type PaymentRequest,
  type SendOutcome,
  TokenRefused,
} from './messenger.js';
import { deliver, failedSend, pictureRefusal } from './outgoing-message.js';
import { outside } from '../platform/held.js';

type CallResult<T> = { ok: true; result: T } | { ok: false; failure: BotApiFailure };

interface CallTerms {
  token: string;
  /** The time limit for the whole call, including all attempts and the pauses between them. */
  timeoutMs: number;
  /**
   * Whether repeating the call does no harm. Never true for a send: after a 5xx or a lost answer the message
   * may already have been sent.
   */
  repeatable: boolean;
  /** Whether the token is being tried out, or given up: a refusal of it is then nothing to act on. */
  tokenMayBeRefused?: boolean;
  /** Further values to remove from failure details. */
  secrets?: string[];
}

const SETUP_TIMEOUT_MS = 10_000;
/**
 * A payment fails if its answer takes more than 10 s from the query (docs/behaviour.md §11). The query's way
 * to this service takes time too.
 */
const PAYMENT_ANSWER_TIMEOUT_MS = 8_000;
/** The shopper is waiting and the order has already been placed. Trying again later is cheap. */
const INVOICE_TIMEOUT_MS = 5_000;
const REPEAT_PAUSE_MS = 250;

const WEBHOOK_UPDATES = [
  'message',
  'my_chat_member',
  'shipping_query',
  'pre_checkout_query',
  'callback_query',
] as const;

/**
 * The only option offered in answer to a shipping query. It is free because the order's total already
 * includes the cost of delivery.
 */
const FREE_DELIVERY = { id: 'delivery', title: 'Delivery', prices: [{ label: 'Delivery', amount: 0 }] };

/** Uses the Telegram Bot API (https://core.telegram.org/bots/api) through grammY. */
export class GrammyMessenger extends Messenger {
  /**
   * How many calls ended in which way. The service's operator, or an owner, must act on those without an
   * answer and those with a bot's token that is no longer accepted; the others that are refused are about one
   * message, such as to a shopper who has blocked the bot.
   */
  readonly outcomes = { ok: 0, refused: 0, slow_down: 0, token_refused: 0, unanswered: 0 };
  private readonly apiRoot: string;

  constructor(apiRoot: string) {
    super();
    this.apiRoot = apiRoot.replace(/\/+$/, ''); // grammY throws on a trailing slash
  }

  async identify(token: string): Promise<BotIdentity> {
    const terms = { token, timeoutMs: SETUP_TIMEOUT_MS, repeatable: true, tokenMayBeRefused: true };
    const bot = resultOf(await this.call(terms, (api) => api.getMe()));
    if (!Number.isSafeInteger(bot?.id) || typeof bot.username !== 'string') {
      throw new MessengerUnavailable('the messenger gave an answer that cannot be understood');
    }
    return { botId: String(bot.id), username: bot.username, hasMainApp: bot.has_main_web_app === true };
  }

  async setWebhook(token: string, url: string, secretToken: string): Promise<void> {
    const options = { secret_token: secretToken, allowed_updates: WEBHOOK_UPDATES };
    const terms = { token, timeoutMs: SETUP_TIMEOUT_MS, repeatable: true, secrets: [secretToken] };
    resultOf(await this.call(terms, (api) => api.setWebhook(url, options)));
  }

  async menuApp(token: string): Promise<string | null> {
    const terms = { token, timeoutMs: SETUP_TIMEOUT_MS, repeatable: true, tokenMayBeRefused: true };
    const button = resultOf(await this.call(terms, (api) => api.getChatMenuButton()));
    return button?.type === 'web_app' ? button.web_app.url : null;
  }

  async setMenuApp(token: string, app: { text: string; url: string } | null): Promise<void> {
    const terms = { token, timeoutMs: SETUP_TIMEOUT_MS, repeatable: true, tokenMayBeRefused: true };
    const menu_button = app
      ? ({ type: 'web_app', text: app.text, web_app: { url: app.url } } as const)
      : ({ type: 'default' } as const);
    resultOf(await this.call(terms, (api) => api.setChatMenuButton({ menu_button })));
  }

  async deleteWebhook(token: string): Promise<void> {
    const terms = { token, timeoutMs: SETUP_TIMEOUT_MS, repeatable: true, tokenMayBeRefused: true };
    resultOf(await this.call(terms, (api) => api.deleteWebhook()));
  }

  async sendMessage(
    token: string,
    userId: string,
    message: OutgoingMessage,
    deadline: { timeoutMs: number },
  ): Promise<SendOutcome> {
    const endsAt = performance.now() + deadline.timeoutMs;
    const attempt = (sent: OutgoingMessage) =>
      this.call({ token, timeoutMs: endsAt - performance.now(), repeatable: false }, (api) =>
        deliver(api, userId, sent),
      );
    const first = await attempt(message);
    const pictureRefused = first.ok ? undefined : pictureRefusal(message, first.failure);
    const answer =
      pictureRefused === undefined ? first : await attempt({ ...message, isPictureLinked: true });
    if (!answer.ok) return failedSend(answer.failure);
    // An "ok" confirms that the message was sent, even if the rest of the answer is missing.
    const messageId = answer.result?.message_id;
    return {
      ...{ sent: true as const, messageId: typeof messageId === 'number' ? messageId : null },
      ...(pictureRefused === undefined ? {} : { pictureRefused }),
    };
  }

  async createInvoiceLink(token: string, request: PaymentRequest): Promise<string> {
    const { title, description, payload, providerToken, currency, prices } = request;
    const terms = { token, timeoutMs: INVOICE_TIMEOUT_MS, repeatable: true, secrets: [providerToken] };
    const link: unknown = resultOf(
      await this.call(terms, (api) =>
        api.createInvoiceLink(
          title,
          description,
          payload,
          providerToken,
          currency,
          prices,
          invoiceOptions(request),
        ),
      ),
    );
    if (typeof link !== 'string')
      throw new MessengerUnavailable('the messenger gave an answer that cannot be understood');
    return link;
  }

  async answerShipping(token: string, queryId: string, answer: PaymentAnswer): Promise<void> {
    const options = answer.ok ? { shipping_options: [FREE_DELIVERY] } : { error_message: answer.message };
    const terms = { token, timeoutMs: PAYMENT_ANSWER_TIMEOUT_MS, repeatable: true };
    resultOf(await this.call(terms, (api) => api.answerShippingQuery(queryId, answer.ok, options)));
  }

  async answerPreCheckout(token: string, queryId: string, answer: PaymentAnswer): Promise<void> {
    const options = answer.ok ? {} : { error_message: answer.message };
    const terms = { token, timeoutMs: PAYMENT_ANSWER_TIMEOUT_MS, repeatable: true };
    resultOf(await this.call(terms, (api) => api.answerPreCheckoutQuery(queryId, answer.ok, options)));
  }

  private async call<T>(terms: CallTerms, invoke: (api: Api) => Promise<T>): Promise<CallResult<T>> {
    const timeoutMs = Math.ceil(terms.timeoutMs);
    if (timeoutMs <= 0)
      return { ok: false, failure: { kind: 'unanswered', detail: 'no time was left to call the messenger' } };
    const answer = await this.answered({ ...terms, timeoutMs }, invoke);
    const isToken = !answer.ok && isAboutToken(answer.failure) && !terms.tokenMayBeRefused;
    this.outcomes[answer.ok ? 'ok' : isToken ? 'token_refused' : answer.failure.kind]++;
    return answer;
  }

  /**
   * Repeats the call within the deadline: after each 429 when the requested pause is over, and once after an
   * unanswered call that may be repeated.
   */
  private async answered<T>(terms: CallTerms, invoke: (api: Api) => Promise<T>): Promise<CallResult<T>> {
    const { timeoutMs } = terms;
    const endsAt = performance.now() + timeoutMs;
    const signal = AbortSignal.timeout(timeoutMs);
    const api = this.apiFor(terms.token, signal);
    let repeatsLeft = terms.repeatable ? 1 : 0;
    for (;;) {
      try {
        return { ok: true, result: await invoke(api) };
      } catch (error) {
        const failure: BotApiFailure = signal.aborted
          ? { kind: 'unanswered', detail: `no answer from the messenger within ${timeoutMs} ms` }
          : describeFailure(error, [secretPart(terms.token), ...(terms.secrets ?? [])]);
        if (failure.kind === 'unanswered' && repeatsLeft-- <= 0) return { ok: false, failure };
        const pauseMs = pauseAfter(failure);
        if (pauseMs === null || performance.now() + pauseMs >= endsAt) return { ok: false, failure };
        await pause(pauseMs);
      }
    }
  }

  /**
   * Creates a client for one call. It uses Node's own fetch because grammY's default, node-fetch 2, does not
   * notice a connection that breaks in the middle of an answer. Redirects are errors, because following one
   * would send the token, which is part of the path, to another address. They are not left to fetch's own
   * 'error': with it, Node 20 forgets the signal once it collects garbage after the headers.
   */
  private apiFor(token: string, signal: AbortSignal): Api {
    // grammY passes a signal of a class that Node's fetch refuses, and options of node-fetch, which Node's
    // fetch ignores.
    const fetchInTime = async (url: string, init: RequestInit) => {
      outside('the messenger');
      const response = await fetch(url, { ...init, signal, redirect: 'manual' });
      if (response.status < 300 || response.status >= 400) return response;
      await response.body?.cancel();
      throw new TypeError('the messenger redirects');
    };
    return new Api(token, {
      apiRoot: this.apiRoot,
      fetch: fetchInTime as unknown as ApiClientOptions['fetch'],
    });
  }
}

/** The optional parameters of an invoice. Payments in XTR support neither tips nor the buyer's details. */
function invoiceOptions(request: PaymentRequest): object {
  if (request.currency === 'XTR') return {};
  return {
    max_tip_amount: request.maxTipAmount,
    suggested_tip_amounts: request.suggestedTipAmounts,
    need_name: request.needName,
    need_phone_number: request.needPhoneNumber,
    need_email: request.needEmail,
    need_shipping_address: request.needShippingAddress,
    is_flexible: request.isFlexible,
  };
}

/** Milliseconds until the next attempt, or null if another attempt would get the same answer. */
function pauseAfter(failure: BotApiFailure): number | null {
  if (failure.kind === 'slow_down') return failure.retryAfterSeconds * 1000;
  return failure.kind === 'unanswered' ? REPEAT_PAUSE_MS : null;
}

/** The Bot API answers 401 for a revoked token and 404 for a token that never existed. */
const isAboutToken = (failure: BotApiFailure): boolean =>
  failure.kind === 'refused' && (failure.code === 401 || failure.code === 404);

/** Returns the result, or throws the error for the failure. */
function resultOf<T>(answer: CallResult<T>): T {
  if (answer.ok) return answer.result;
  const { failure } = answer;
  if (isAboutToken(failure)) throw new TokenRefused('the messenger refused the bot token');
  throw new MessengerUnavailable(failure.detail);
}

/** The part of a token after the public bot id; the whole token if it has no id. */
function secretPart(token: string): string {
  return token.slice(token.indexOf(':') + 1);
}
