import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Logger } from '../../logging/logger.js';
import { Client, CONNECTION } from './connection.js';

const RECONNECT_MS = [100, 500, 1000, 2000];
/**
 * A connection that only listens would not notice a dead server. A query that gets no answer is noticed (see
 * Server). The query notifies this instance alone, which shows that notifications arrive.
 */
const ASK_MS = 2_000;
const NAME = 'shop-listener';
/** On this channel instances confirm the messages that they have handled. */
const HANDLED = 'shop_handled';

const NOTIFY = `select pg_notify($1, $2), (
    select count(*)::int from pg_stat_activity
    where application_name = '${NAME}' and datname = current_database() and usename = current_user
  ) as listeners`;

const listenTo = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`;

/**
 * Listens for the database's notifications on its own connection. A notification is only a hint: code that
 * relies on one must also check by itself, and learns through `onGap` when notifications may have been
 * missed.
 */
export class Listener {
  private client: pg.Client | null = null;
  private readonly echo = `shop_echo_${randomUUID()}`;
  private readonly handlers = new Map<string, (payload: string) => void>([
    [HANDLED, (id) => this.unhandled.get(id)?.()],
    [this.echo, (askedAt) => this.heardHandlers.forEach((handler) => handler(Number(askedAt)))],
  ]);
  private readonly gapHandlers: (() => void)[] = [];
  private readonly heardHandlers: ((until: number) => void)[] = [];
  /** The callbacks for confirmations of messages that are not handled everywhere yet, by message id. */
  private readonly unhandled = new Map<string, () => void>();
  private closed = false;
  private failures = 0;
  private timer: NodeJS.Timeout | null = null;
  private asking: NodeJS.Timeout | undefined;
  /** Resolves when the first connection is open or has failed. */
  private started: Promise<void> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly log: Logger,
  ) {}

  /** Whether notifications arrive at the moment. */
  get connected(): boolean {
    return this.client !== null;
  }

  on(channel: string, handler: (payload: string) => void): void {
    this.handlers.set(channel, handler);
    this.client?.query(listenTo(channel)).catch(() => undefined);
  }

  /** Like `on`, for messages sent by `notifyAll`. Confirms each message once it is handled. */
  onNotifyAll(channel: string, handler: (payload: string) => void): void {
    this.on(channel, (message) => {
      const [id, payload] = message.split(' ', 2);
      handler(payload);
      this.client?.query('select pg_notify($1, $2)', [HANDLED, id]).catch(() => undefined);
    });
  }

  /**
   * Notifies every instance, including this one. Resolves when every listening instance that the database
   * knows of has handled the message, or after `patience` ms, because an instance may hang.
   */
  notifyAll(channel: string, payload: string, patience: number): Promise<void> {
    return new Promise((resolve) => {
      const id = randomUUID();
      let listeners = Infinity;
      let answers = 0;
      const settle = () => {
        clearTimeout(timer);
        this.unhandled.delete(id);
        resolve();
      };
      const timer = setTimeout(settle, patience);
      this.unhandled.set(id, () => {
        if (++answers >= listeners) settle();
      });
      // A command starts it only once whoever asked for it has registered its channels.
      const sent = Promise.resolve()
        .then(() => this.started)
        .then(() => this.client?.query<{ listeners: number }>(NOTIFY, [channel, `${id} ${payload}`]));
      sent.then(
        (result) => {
          if (!result) return;
          listeners = result.rows[0].listeners;
          if (answers >= listeners) settle();
        },
        () => undefined,
      );
    });
  }

  /** The handler is called when the connection is lost, and again when it is back. */
  onGap(handler: () => void): void {
    this.gapHandlers.push(handler);
  }

  /**
   * The handler is called every few seconds with a moment (ms since the epoch): every notification that was
   * committed before it has been handled here.
   */
  onHeard(handler: (until: number) => void): void {
    this.heardHandlers.push(handler);
  }

  start(): Promise<void> {
    return (this.started = this.open());
  }

  private async open(): Promise<void> {
    const client = new Client({
      ...CONNECTION,
      connectionString: this.url,
      application_name: NAME,
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload }) => this.handlers.get(channel)?.(payload ?? ''));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(listenTo(channel));
    } catch (error) {
      // The code that closes it while it opens may have ended the database too.
      if (!this.closed) this.log.warn({ err: error }, 'the notification connection could not be opened');
      await client.end().catch(() => undefined);
      this.retry();
      return;
    }
    if (this.closed) return void (await client.end());
    this.client = client;
    this.failures = 0;
    const ask = () =>
      void client.query('select pg_notify($1, $2)', [this.echo, Date.now()]).catch(() => undefined);
    this.asking = setInterval(ask, ASK_MS).unref();
    for (const handler of this.gapHandlers) handler();
    ask();
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    clearInterval(this.asking);
    await client?.end().catch(() => undefined);
  }

  private lost(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
    clearInterval(this.asking);
    for (const handler of this.gapHandlers) handler();
    client.end().catch(() => undefined);
    this.retry();
  }

  private retry(): void {
    if (this.closed) return;
    const delay = RECONNECT_MS[Math.min(this.failures++, RECONNECT_MS.length - 1)];
    this.timer = setTimeout(() => void this.start(), delay);
    this.timer.unref();
  }
}
