import { createHmac } from 'node:crypto';
import type { BotApiServer } from '../../support/servers/bot-api-server.js';
import type { Answer, TestStore } from '../../support/test-app.js';

export interface SignedUser {
  /** Digits: an id over 2^53 goes into the JSON as it is. */
  id: string;
  first_name?: string;
  last_name?: string;
  username?: string;
}

export interface SignOptions {
  token?: string;
  at?: Date;
  startParam?: string;
  /** The `user` value as text, in place of one made of `user`. */
  userText?: string | null;
  extra?: Record<string, string>;
}

/**
 * Init data as the messenger signs it, by its own description and with nothing of the library the service
 * checks it with: https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
 */
export function signInitData({ id, ...names }: SignedUser, options: SignOptions & { token: string }): string {
  const { token, at = new Date(), startParam, extra } = options;
  const named = Object.entries(names).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const userText = options.userText === undefined ? `{"id":${id}${named.join('')}}` : options.userText;
  const values: Record<string, string> = {
    query_id: 'AAHdF6IQAAAAAN0XohDhrOrc',
    ...(userText === null ? {} : { user: userText }),
    auth_date: String(Math.floor(at.getTime() / 1000)),
    signature: 'not-looked-at',
    ...(startParam === undefined ? {} : { start_param: startParam }),
    ...extra,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const secret = createHmac('sha256', 'WebAppData').update(token).digest();
  const hash = createHmac('sha256', secret).update(lines.sort().join('\n')).digest('hex');
  return new URLSearchParams({ ...values, hash }).toString();
}

/** A shopper with the store's Mini App open. */
export class MiniApp {
  readonly initData: string;

  constructor(
    readonly store: TestStore,
    readonly user: SignedUser = { id: '1001', first_name: 'Ann' },
    options: SignOptions = {},
  ) {
    this.initData = signInitData(user, { token: store.botToken, ...options });
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.store.app.url}/storefront/${this.store.id}/${path}`, {
      method,
      headers: {
        Authorization: `tma ${this.initData}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer['body'],
    };
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  order(order: Record<string, unknown>, key?: string): Promise<Answer> {
    return this.send(
      'POST',
      'orders',
      { paymentMethod: 'cash', ...order },
      key === undefined ? {} : { 'Idempotency-Key': key },
    );
  }

  /** For what must succeed. */
  async data(method: string, path: string, body?: unknown): Promise<any> {
    const { body: answer } = await this.send(method, path, body);
    if (!answer.ok)
      throw new Error(`${method} ${path} was refused: ${answer.error!.code} ${answer.error!.message}`);
    return answer.data;
  }
}

export const refusal = (status: number, code: string) => ({ status, body: { ok: false, error: { code } } });

/** The messenger's side of a store's bot: what it sends to the shop's webhook. */
export class BotWebhook {
  private constructor(
    readonly store: TestStore,
    readonly secret: string,
  ) {}

  /** Connects the store's bot by the operation. */
  static async connect(
    store: TestStore,
    messenger: BotApiServer,
    token = store.botToken,
  ): Promise<BotWebhook> {
    await store.data('connect_bot', { token });
    const { body } = messenger.callsOf('setWebhook').at(-1)!;
    return new BotWebhook(store, body.secret_token as string);
  }

  /** @param update an object, or JSON text where ids are over 2^53 */
  async send(update: unknown, headers: Record<string, string> = {}): Promise<{ status: number; body: any }> {
    const response = await fetch(`${this.store.app.url}/messenger/${this.store.id}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Telegram-Bot-Api-Secret-Token': this.secret,
        ...headers,
      },
      body: typeof update === 'string' ? update : JSON.stringify(update),
    });
    return { status: response.status, body: await response.json() };
  }

  /** A message of the shopper's private chat, as JSON text: the id keeps all its digits. */
  message(id: string, message: Record<string, unknown>): Promise<{ status: number; body: any }> {
    const rest = JSON.stringify(message).slice(1);
    return this.send(
      '{"update_id":1,"message":{"message_id":1,"date":1,' +
        `"from":{"id":${id},"is_bot":false,"first_name":"Ann"},"chat":{"id":${id},"type":"private"},${rest}}`,
    );
  }

  membership(id: string, status: string, type = 'private'): Promise<{ status: number; body: any }> {
    return this.send(
      `{"update_id":2,"my_chat_member":{"from":{"id":${id},"is_bot":false},` +
        `"chat":{"id":${id},"type":"${type}"},"new_chat_member":{"status":"${status}"}}}`,
    );
  }
}
