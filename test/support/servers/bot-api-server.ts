import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { paced } from '../waiting/paced.mjs';

/**
 * One call as it arrived: the parsed `body`, the original `rawBody` (in which a long id has all its digits),
 * and `at` in ms.
 */
export interface BotApiCall {
  token: string;
  method: string;
  body: Record<string, any>;
  rawBody: string;
  at: number;
}

/** What the server does with a call. */
export type BotApiAnswer =
  | { kind: 'result'; result: unknown }
  | { kind: 'error'; code: number; description: string; parameters?: Record<string, unknown> }
  | { kind: 'raw'; status: number; body: string; headers?: Record<string, string> }
  | { kind: 'drop' }
  | { kind: 'cut' }
  | { kind: 'hang'; headersSent: boolean }
  | { kind: 'slow'; until: () => Promise<unknown>; then: BotApiAnswer };

const error = (code: number, description: string, parameters?: Record<string, unknown>): BotApiAnswer => {
  return { kind: 'error', code, description, parameters };
};

/** The answers tests ask for, in the Bot API's own words. */
export const botApi = {
  result: (result: unknown): BotApiAnswer => ({ kind: 'result', result }),
  error,
  tooManyRequests: (retryAfter: number): BotApiAnswer =>
    error(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter }),
  blocked: (): BotApiAnswer => error(403, 'Forbidden: bot was blocked by the user'),
  deactivated: (): BotApiAnswer => error(403, 'Forbidden: user is deactivated'),
  pictureRefused: (): BotApiAnswer => error(400, 'Bad Request: failed to get HTTP URL content'),
  chatNotFound: (): BotApiAnswer => error(400, 'Bad Request: chat not found'),
  unauthorized: (): BotApiAnswer => error(401, 'Unauthorized'),
  unknownToken: (): BotApiAnswer => error(404, 'Not Found'),
  serverError: (): BotApiAnswer => error(500, 'Internal Server Error'),
  /** An answer that is not the Bot API's, such as a proxy's error page. */
  raw: (status: number, body: string, headers?: Record<string, string>): BotApiAnswer => ({
    kind: 'raw',
    status,
    body,
    headers,
  }),
  /** The connection ends without an answer. */
  dropped: (): BotApiAnswer => ({ kind: 'drop' }),
  /** The connection ends in the middle of the answer. */
  cutShort: (): BotApiAnswer => ({ kind: 'cut' }),
  /** No answer ever comes, or only its headers. */
  hanging: ({ headersSent = false } = {}): BotApiAnswer => ({ kind: 'hang', headersSent }),
  slow: (ms: number, then: BotApiAnswer): BotApiAnswer => ({ kind: 'slow', until: () => paced(ms), then }),
  held: (until: Promise<unknown>, then: BotApiAnswer): BotApiAnswer => ({
    kind: 'slow',
    until: () => until,
    then,
  }),
};

type Script = BotApiAnswer | ((call: BotApiCall) => BotApiAnswer | undefined);

/**
 * A Bot API server on the loopback interface, for tests. By default it behaves like the real one as far as a
 * shop needs: any well-formed token belongs to a bot, messages are accepted, and messages that are too long
 * are refused. `always` sets the answer of a method (or of some calls, with a function that returns undefined
 * for the others), `next` sets the answers of its next calls, and `refuseToken` revokes a token.
 */
export class BotApiServer {
  readonly calls: BotApiCall[] = [];
  private readonly standing = new Map<string, Script>();
  private readonly queued = new Map<string, BotApiAnswer[]>();
  private readonly refusedTokens = new Set<string>();
  private readonly sockets = new Set<Socket>();
  private lastMessageId = 0;
  private lastInvoice = 0;
  /** By the token of the bot. */
  readonly menuButtons = new Map<string, object>();

  private readonly http = createServer((request, response) => void this.handle(request, response));

  constructor() {
    this.http.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  async listen(): Promise<void> {
    this.http.listen(0, '127.0.0.1');
    await once(this.http, 'listening');
  }

  static async start(): Promise<BotApiServer> {
    const server = new BotApiServer();
    await server.listen();
    return server;
  }

  get apiRoot(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  callsOf(method: string): BotApiCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  always(method: string, script: Script): void {
    this.standing.set(method, script);
  }

  next(method: string, ...answers: BotApiAnswer[]): void {
    this.queued.set(method, [...(this.queued.get(method) ?? []), ...answers]);
  }

  refuseToken(token: string): void {
    this.refusedTokens.add(token);
  }

  /** Forgets the calls and every script. */
  reset(): void {
    this.calls.length = 0;
    this.standing.clear();
    this.queued.clear();
    this.refusedTokens.clear();
  }

  async close(): Promise<void> {
    const closed = once(this.http, 'close');
    this.http.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
    const rawBody = await readAll(request).catch(() => null);
    if (rawBody === null) return; // the caller hung up
    if (!token || !method) return answerWith(response, botApi.unknownToken());
    const call = { token, method, body: parseBody(rawBody), rawBody, at: performance.now() };
    this.calls.push(call);
    await answerWith(response, this.answerTo(call));
  }

  private answerTo(call: BotApiCall): BotApiAnswer {
    const queued = this.queued.get(call.method)?.shift();
    if (queued) return queued;
    const standing = this.standing.get(call.method);
    const scripted = typeof standing === 'function' ? standing(call) : standing;
    return scripted ?? this.defaultAnswer(call);
  }

  private defaultAnswer({ token, method, body }: BotApiCall): BotApiAnswer {
    const botId = /^(\d+):[\w-]{30,}$/.exec(token)?.[1];
    if (!botId) return botApi.unknownToken();
    if (this.refusedTokens.has(token)) return botApi.unauthorized();
    switch (method) {
      case 'getMe':
        return botApi.result({
          id: Number(botId),
          is_bot: true,
          first_name: 'Shop',
          username: `shop_${botId}_bot`,
        });
      case 'getChatMenuButton':
        return botApi.result(this.menuButtons.get(token) ?? { type: 'commands' });
      case 'setChatMenuButton':
        this.menuButtons.set(token, body.menu_button as object);
        return botApi.result(true);
      case 'setWebhook':
      case 'deleteWebhook':
        return botApi.result(true);
      case 'answerPreCheckoutQuery':
        return answerProblem(body, () => null);
      case 'answerShippingQuery':
        return answerProblem(body, shippingProblem);
      case 'createInvoiceLink': {
        const problem = invoiceProblem(body);
        return problem
          ? error(400, `Bad Request: ${problem}`)
          : botApi.result(`https://t.me/$invoice-${++this.lastInvoice}`);
      }
      case 'sendMessage':
        return this.messageAnswer(body, body.text, 4096, 'message');
      case 'sendPhoto':
        return this.messageAnswer(body, body.caption ?? '', 1024, 'message caption');
      default:
        return error(404, 'Not Found: method not found');
    }
  }

  private messageAnswer(body: BotApiCall['body'], text: unknown, limit: number, what: string): BotApiAnswer {
    if (!body.chat_id) return error(400, 'Bad Request: chat_id is empty');
    if (typeof text !== 'string' || (text === '' && !body.photo))
      return error(400, 'Bad Request: message text is empty');
    if (text.length > limit) return error(400, `Bad Request: ${what} is too long`);
    return botApi.result({
      message_id: ++this.lastMessageId,
      date: Math.floor(Date.now() / 1000),
      chat: { type: 'private' },
    });
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(rawBody: string): BotApiCall['body'] {
  return rawBody === '' ? {} : (JSON.parse(rawBody) as BotApiCall['body']);
}

async function answerWith(response: ServerResponse, answer: BotApiAnswer): Promise<void> {
  switch (answer.kind) {
    case 'result':
      return sendJson(response, 200, { ok: true, result: answer.result });
    case 'error': {
      const { code, description, parameters } = answer;
      return sendJson(response, code, { ok: false, error_code: code, description, parameters });
    }
    case 'raw':
      response.writeHead(answer.status, { 'content-type': 'text/html', ...answer.headers }).end(answer.body);
      return;
    case 'drop':
      response.socket?.destroy();
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"ok":true,"res', () => response.socket?.destroy());
      return;
    case 'hang':
      if (answer.headersSent) response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      return;
    case 'slow':
      await answer.until();
      return answerWith(response, answer.then);
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * The currencies that the messenger supports (https://core.telegram.org/bots/payments#supported-currencies),
 * and its stars.
 */
const CURRENCIES = new Set(
  `AED AFN ALL AMD ARS AUD AZN BAM BDT BGN BND BOB BRL BYN CAD CHF CLP CNY COP CRC CZK DKK DOP DZD EGP
   ETB EUR GBP GEL GTQ HKD HNL HRK HUF IDR ILS INR ISK JMD JPY KES KGS KRW KZT LBP LKR MAD MDL MNT MUR MVR
   MXN MYR MZN NGN NIO NOK NPR NZD PAB PEN PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB TJS TRY TTD TWD
   TZS UAH UGX USD UYU UZS VND YER ZAR XTR`.split(/\s+/),
);

const isText = (value: unknown, min: number, max: number) =>
  typeof value === 'string' && value.length >= min && value.length <= max;

/** The rule of https://core.telegram.org/bots/api#createinvoicelink that a request breaks, or null. */
function invoiceProblem(body: BotApiCall['body']): string | null {
  const {
    currency,
    prices,
    provider_token: providerToken,
    max_tip_amount: maxTip = 0,
    suggested_tip_amounts: tips = [],
  } = body;
  if (!isText(body.title, 1, 32)) return 'INVOICE_TITLE_INVALID';
  if (!isText(body.description, 1, 255)) return 'INVOICE_DESCRIPTION_INVALID';
  if (typeof body.payload !== 'string' || body.payload === '' || Buffer.byteLength(body.payload) > 128)
    return 'INVOICE_PAYLOAD_INVALID';
  if (!CURRENCIES.has(currency)) return 'CURRENCY_INVALID';
  if (!Array.isArray(prices) || prices.length === 0) return 'prices are empty';
  if (!prices.every((price) => isText(price.label, 1, 200) && Number.isSafeInteger(price.amount)))
    return 'PRICE_INVALID';
  if (prices.reduce((sum: number, price) => sum + price.amount, 0) <= 0)
    return 'CURRENCY_TOTAL_AMOUNT_INVALID';
  if (currency === 'XTR') {
    if (providerToken !== '' && providerToken !== undefined) return 'PAYMENT_PROVIDER_INVALID';
    if (prices.length !== 1) return 'STARS_INVOICE_INVALID';
    if (maxTip !== 0 || tips.length > 0) return 'STARS_INVOICE_INVALID';
  } else if (!isText(providerToken, 1, 200)) return 'PAYMENT_PROVIDER_INVALID';
  if (!Number.isSafeInteger(maxTip) || maxTip < 0) return 'MAX_TIP_AMOUNT_INVALID';
  if (!Array.isArray(tips) || tips.length > 4) return 'SUGGESTED_TIP_AMOUNTS_INVALID';
  const rises = tips.every(
    (tip, i) => Number.isSafeInteger(tip) && tip > (i === 0 ? 0 : tips[i - 1]) && tip <= maxTip,
  );
  return rises ? null : 'SUGGESTED_TIP_AMOUNTS_INVALID';
}

/** https://core.telegram.org/bots/api#answershippingquery */
function shippingProblem({ shipping_options: options }: BotApiCall['body']): string | null {
  if (!Array.isArray(options) || options.length === 0) return 'SHIPPING_OPTIONS_EMPTY';
  const isWhole = options.every(
    ({ id, title, prices }) =>
      isText(id, 1, 128) &&
      isText(title, 1, 128) &&
      Array.isArray(prices) &&
      prices.every((price) => Number.isSafeInteger(price.amount)),
  );
  return isWhole ? null : 'SHIPPING_OPTION_INVALID';
}

/**
 * Checks an answer to a query: a refusal must give a reason, and an acceptance is checked with `problemOf`.
 */
function answerProblem(
  body: BotApiCall['body'],
  problemOf: (body: BotApiCall['body']) => string | null,
): BotApiAnswer {
  const problem =
    body.ok === true ? problemOf(body) : isText(body.error_message, 1, 200) ? null : 'ERROR_TEXT_EMPTY';
  return problem ? error(400, `Bad Request: ${problem}`) : botApi.result(true);
}
