import pg, { type ClientConfig } from 'pg';
import { hostsOf, withHost } from '../config/database-url.js';
import { tracer } from '../observability/tracing.js';
import { aimAt, isSevered, onRefusal, onSetting, sever, watchStatements } from './driver.js';
import { Hosts, NoPrimary } from './hosts.js';

/**
 * A connection to the host that takes writes, where the URL names several.
 *
 * Its `error` event is heard from its creation to its end: an event that nobody hears ends the process. The pool listens only while
 * nobody has the connection, and the message of its end may come in one piece with the answer before it, when the next owner has
 * had no time to listen. Nothing is lost by it: what is under way fails, the pool drops the connection.
 */
export class Client extends pg.Client {
  readonly #url: string;
  readonly #hosts: Hosts;
  readonly #lostMs: number | undefined;
  #isEnding = false;
  #isStandby = false;

  /** @param config with a `connectionString`; `lostMs`: how long it may wait in silence for an answer before it is given up, without end unless said */
  constructor(config: ClientConfig & { lostMs?: number }) {
    const url = config.connectionString!;
    super({ ...config, connectionString: hostsOf(url).length > 1 ? withHost(url) : url });
    this.#url = url;
    this.#hosts = Hosts.of(url);
    this.#lostMs = config.lostMs;
    this.on('error', () => undefined);
    if (tracer) watchStatements(this, (query) => tracer?.statement(query) ?? null);
    this.on('end', () => this.#hosts.ended(this, this.#isEnding));
    onSetting(this, (name, value) => {
      if (name === 'in_hot_standby') this.#isStandby = value === 'on';
    });
    onRefusal(this, (code) => {
      // Whoever asked hears of it first.
      if (code === READ_ONLY) setImmediate(() => sever(this));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (this.#hosts.areSeveral) {
      const opened = this.#toPrimary();
      return callback ? void opened.then(() => callback(null!), callback) : opened;
    }
    this.#hosts.watch(this, this.#url, hostsOf(this.#url)[0], this.#lostMs);
    return callback ? super.connect(callback) : super.connect();
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.#isEnding = true;
    return callback ? super.end(callback) : super.end();
  }

  async #toPrimary(): Promise<this> {
    const host = await this.#hosts.primary(this.#url);
    if (this.#isEnding || isSevered(this)) throw new Error('the connection was given up while the primary was looked for');
    const { hostname, port } = new URL(withHost(this.#url, host));
    aimAt(this, hostname.replace(/^\[|\]$/g, ''), Number(port));
    this.#hosts.watch(this, this.#url, host, this.#lostMs);
    await super.connect();
    if (!this.#isStandby) return this;
    sever(this);
    throw new NoPrimary(`${host} has become a standby`);
  }
}

/** SQLSTATE read_only_sql_transaction: the host takes writes no more, whatever it was when the connection was opened. */
const READ_ONLY = '25006';

/**
 * How every connection of the service is opened: pipelining, and with a limit in milliseconds on connecting. Nothing of it is a
 * parameter of the session: poolers refuse what they do not know, and hand sessions on.
 */
export const CONNECTION = {
  pipeline: true,
  connectionTimeoutMillis: 10_000,
} satisfies ClientConfig & { pipeline: true };

/** What a statement of the service's roles may take, in milliseconds. The roles have it as their setting (roles.ts). */
export const STATEMENT_LIMIT_MS = 30_000;

/**
 * The database ends a statement before this many milliseconds: what has not answered by then is gone, and its connection given up
 * (`Hosts`). The driver's own limit, `query_timeout`, makes a timer and a closure for each statement, which outlive it.
 */
export const LOST_MS = STATEMENT_LIMIT_MS + 5_000;

/** Connections of a pool, which belong to one caller at a time: its statements wait for nobody else's. The pool hands its options to `Client`. */
export const POOL = { ...CONNECTION, lostMs: LOST_MS, Client: Client as unknown as new () => Client };

/** No connection could be had in time. Only the text of the driver's error says so. */
const NONE_TEXT = /^(timeout e|Connection terminated due to connection timeout|the connection was given up)/;
const LOST_TEXT = /^(Connection terminated|Client (has encountered a connection error|was closed))/;
/** SQLSTATEs of connections that end: exceptions, shutdowns, crashes, time-outs of a session, a primary that is none any more. */
const LOST_CODE = /^(08|57P|25P0[34]|25006)/;
const SOCKET_CODE = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)/;

/** Whether something failed since its connection was lost, or none could be had; that says nothing about what was asked. */
export function isLost(error: unknown): boolean {
  return hadNone(error) || isWorthRepeating(error);
}

/** Whether a connection was lost, and another one may be had at once. */
export function isWorthRepeating(error: unknown): boolean {
  const { driverError = error } = (error ?? {}) as { driverError?: unknown };
  const { code = '', message = '' } = (driverError ?? {}) as { code?: string; message?: string };
  if (driverError instanceof pg.DatabaseError) return LOST_CODE.test(code);
  return !hadNone(driverError) && (SOCKET_CODE.test(code) || LOST_TEXT.test(message));
}

function hadNone(error: unknown): boolean {
  return error instanceof NoPrimary || NONE_TEXT.test((error as Error | null)?.message ?? '');
}
