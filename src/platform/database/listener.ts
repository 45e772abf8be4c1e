import pg from 'pg';
import type { Logger } from '../logging/logger.js';

const RECONNECT_MS = [100, 500, 1000, 2000];

/**
 * Listens for the database's notifications on a connection of its own. A notification is only ever a hint: whoever relies on
 * it must also look by itself, and is told through `onGap` when notifications may have been missed.
 */
export class Listener {
  private client: pg.Client | null = null;
  private readonly handlers = new Map<string, (payload: string) => void>();
  private readonly gapHandlers: (() => void)[] = [];
  private closed = false;
  private failures = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
  ) {}

  /** Whether notifications arrive at this moment. */
  get connected(): boolean {
    return this.client !== null;
  }

  /** Before `start` only. */
  on(channel: string, handler: (payload: string) => void): void {
    this.handlers.set(channel, handler);
  }

  /** Called when the connection was lost, and again when it is back. */
  onGap(handler: () => void): void {
    this.gapHandlers.push(handler);
  }

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, application_name: 'shop-listener', keepAlive: true });
    client.on('notification', ({ channel, payload }) => this.handlers.get(channel)?.(payload ?? ''));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      this.log.warn({ err: error }, 'the notification connection could not be opened');
      await client.end().catch(() => undefined);
      this.retry();
      return;
    }
    if (this.closed) return void (await client.end());
    this.client = client;
    this.failures = 0;
    for (const handler of this.gapHandlers) handler();
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private lost(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
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
