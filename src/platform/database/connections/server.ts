import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { serverOf } from '../../config/database-url.js';
import { bytesRead, isWaiting, sever } from './driver.js';

/** How often connections are checked for one that waits in silence. */
const TICK_MS = 500;
/** After this many silent ticks the server is asked. A single slow answer is nothing unusual. */
const SILENT_TICKS = 3;
/** The ticks between two questions to the server while a connection waits in silence. */
const ASK_TICKS = 10;
/**
 * How long a new connection waits for a server that was lost. It is less than a pool waits for a connection.
 */
const RETURN_MS = 8_000;
const AGAIN_MS = 250;
/**
 * How long to wait for an answer, in turns of the event loop, because this process receives nothing while it
 * is blocked itself.
 */
const MAX_EVENT_LOOP_TURNS = 40;
const TURN_MS = 100;

/** A connection that is open or being opened. */
interface Watched {
  url: string;
  isOpen: boolean;
  lostMs: number;
  silentTicks: number;
  bytes: number;
}

/**
 * A database server, or the proxy before several of which one takes writes. Decides when open connections are
 * given up.
 *
 * A server that hangs, or that is behind a broken network, is silent, and the operating system would wait a
 * quarter of an hour for it. So when a connection waits in silence, the server is asked on a second
 * connection; without an answer, every connection to it is ended.
 */
export class Server {
  private static readonly known = new Map<string, Server>();
  /** Emits `lost` with the number of connections that were ended, because the server did not answer. */
  readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly watched = new Map<pg.Client, Watched>();
  /** When something last happened to an open connection; null once another one is open. */
  private lostAt: number | null = null;
  private returning: Promise<void> | null = null;
  private ticking: NodeJS.Timeout | null = null;
  private ticksSinceAsked = ASK_TICKS;
  private isAsking = false;

  /** The same object for the same server, whatever the database and the role. */
  static of(url: string): Server {
    const name = serverOf(url);
    let server = Server.known.get(name);
    if (!server) Server.known.set(name, (server = new Server()));
    return server;
  }

  /** Whether a connection was lost less than 8 s ago, and none opened since: the server may be restarting. */
  get isLost(): boolean {
    return this.lostAt !== null && performance.now() - this.lostAt < RETURN_MS;
  }

  /** Waits until a server that was lost answers again, or has been lost for too long. */
  returned(url: string): Promise<void> {
    return (this.returning ??= this.waitForReturn(url).finally(() => (this.returning = null)));
  }

  /**
   * Watches a connection from before it is opened until it has ended.
   * @param lostMs how long it may wait in silence before it is given up, even if the server answers
   */
  watch(client: pg.Client, url: string, lostMs = Infinity): void {
    this.watched.set(client, { url, isOpen: false, lostMs, silentTicks: 0, bytes: 0 });
    this.ticking ??= setInterval(() => this.tick(), TICK_MS).unref();
  }

  opened(client: pg.Client): void {
    const watched = this.watched.get(client);
    if (watched) watched.isOpen = true;
    this.lostAt = null;
  }

  /** Something happened to the server of the connection, which is about to end. */
  lost(client: pg.Client): void {
    if (this.watched.get(client)?.isOpen) this.lostAt = performance.now();
  }

  /** @param isAsked whether the service ended the connection; otherwise something happened to the server */
  ended(client: pg.Client, isAsked: boolean): void {
    if (!isAsked) this.lost(client);
    this.watched.delete(client);
    if (this.watched.size > 0 || !this.ticking) return;
    clearInterval(this.ticking);
    this.ticking = null;
  }

  private async waitForReturn(url: string): Promise<void> {
    while (this.isLost) {
      if (await answers(url)) this.lostAt = null;
      else await sleep(AGAIN_MS);
    }
  }

  private tick(): void {
    let suspicious: string | null = null;
    for (const [client, watched] of this.watched) {
      const bytes = bytesRead(client);
      watched.silentTicks = isWaiting(client) && bytes === watched.bytes ? watched.silentTicks + 1 : 0;
      watched.bytes = bytes;
      if (watched.silentTicks >= SILENT_TICKS) suspicious ??= watched.url;
      const silentMs = watched.silentTicks * TICK_MS;
      if (silentMs > watched.lostMs)
        sever(client, new Error(`Connection terminated: no answer came for ${silentMs} ms`));
    }
    this.ticksSinceAsked++;
    if (suspicious !== null && this.ticksSinceAsked >= ASK_TICKS && !this.isAsking) void this.ask(suspicious);
  }

  /** Asks the server, and ends every connection if it does not answer. The statements under way fail. */
  private async ask(url: string): Promise<void> {
    this.isAsking = true;
    const isThere = await answers(url);
    this.isAsking = false;
    this.ticksSinceAsked = 0;
    if (isThere) return;
    const connections = [...this.watched.keys()];
    for (const client of connections) sever(client);
    if (connections.length > 0) this.changes.emit('lost', connections.length);
  }
}

/** SQLSTATEs of a server that is starting or stopping, and of a proxy that has none behind it. */
const AWAY = /^(08|57P)/;

/**
 * Asks the server on a connection of its own. One that refuses this role, or has no connection left, is there
 * too. Four seconds without an answer count as none.
 */
async function answers(url: string): Promise<boolean> {
  // The service's own Client would wait for the server's return.
  // eslint-disable-next-line no-restricted-syntax
  const client = new pg.Client({ connectionString: url, application_name: 'shop-server-check' });
  client.on('error', () => undefined);
  const patience = new AbortController();
  void severAfter(client, patience.signal);
  try {
    await client.connect();
    await client.query('select');
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError && !AWAY.test(error.code ?? '');
  } finally {
    patience.abort();
    client.end().catch(() => undefined);
  }
}

async function severAfter(client: pg.Client, signal: AbortSignal): Promise<void> {
  for (let turn = 0; turn < MAX_EVENT_LOOP_TURNS; turn++) {
    await sleep(TURN_MS, undefined, { ref: false });
    if (signal.aborted) return;
  }
  sever(client);
}
