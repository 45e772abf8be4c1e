import pg, { type ClientConfig } from 'pg';
import { tracer } from '../../observability/tracing.js';
import { isNotedReadOnly, isSevered, onRefusal, sever, watchStatements } from './driver.js';
import { Server } from './server.js';

/**
 * A connection to the database, which is given up when its server hangs.
 *
 * Its `error` event has a listener from the start, because an unhandled one ends the process. The pool
 * listens only while the connection is idle, and the message that ends a connection may arrive together with
 * the previous answer, before the next owner listens. No information is lost: the statements under way fail,
 * and the pool drops the connection.
 */
export class Client extends pg.Client {
  readonly #url: string;
  readonly #server: Server;
  readonly #lostMs: number | undefined;
  readonly #awaitsReturn: boolean;
  #isEnding = false;

  /**
   * @param config with a `connectionString`; `lostMs` limits how long it waits for an answer in silence
   * before it is given up (default: no limit); with `awaitsReturn` it is opened only when a server is
   * back that was just lost
   */
  constructor(config: ClientConfig & { lostMs?: number; awaitsReturn?: boolean }) {
    super(config);
    this.#url = config.connectionString!;
    this.#server = Server.of(this.#url);
    this.#lostMs = config.lostMs;
    this.#awaitsReturn = config.awaitsReturn ?? false;
    this.on('error', () => this.#server.lost(this));
    this.on('connect', () => this.#server.opened(this));
    if (tracer) watchStatements(this, (query) => tracer?.statement(query) ?? null);
    this.on('end', () => this.#server.ended(this, this.#isEnding));
    onRefusal(this, (code) => {
      if (code !== undefined && GOES_AWAY.test(code)) this.#server.lost(this);
      // The sender of the statement is told first, and whoever entered the store knows by then whether it is
      // only the store that is read-only. Otherwise the server is.
      if (code === READ_ONLY) setImmediate(() => isNotedReadOnly(this) || sever(this));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (this.#awaitsReturn && this.#server.isLost) {
      const opened = this.#afterReturn();
      return callback ? void opened.then(() => callback(null!), callback) : opened;
    }
    this.#server.watch(this, this.#url, this.#lostMs);
    return callback ? super.connect(callback) : super.connect();
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.#isEnding = true;
    return callback ? super.end(callback) : super.end();
  }

  async #afterReturn(): Promise<this> {
    await this.#server.returned(this.#url);
    if (this.#isEnding || isSevered(this))
      throw new Error('the connection was given up while its server was away');
    this.#server.watch(this, this.#url, this.#lostMs);
    await super.connect();
    return this;
  }
}

/**
 * SQLSTATE read_only_sql_transaction: the server no longer accepts writes, although it did when the
 * connection was opened. Behind a proxy, the next connection leads to the one that does.
 */
const READ_ONLY = '25006';
const DEADLOCK = '40P01';
const DISK_FULL = '53100';
const ABORTED = '25P02';
/** SQLSTATEs of a server that stops: admin_shutdown, crash_shutdown and cannot_connect_now. */
const GOES_AWAY = /^57P0[123]$/;

/**
 * The options of every connection: pipelining, a limit in milliseconds on connecting, and patience with a
 * server that is restarted. None of them is a parameter of the session, because poolers refuse parameters
 * that they do not know, and pass sessions on.
 */
export const CONNECTION = {
  pipeline: true,
  connectionTimeoutMillis: 10_000,
  awaitsReturn: true,
} satisfies ClientConfig & { pipeline: true; awaitsReturn: true };

/**
 * The time limit for a statement of no store, in milliseconds. This and the next two are settings of the
 * service's roles (roles.ts).
 */
export const STATEMENT_LIMIT_MS = 30_000;
/**
 * How long a transaction of a store, and a read that belongs to none, may take, and how long it waits for
 * records that others are changing.
 */
export const TRANSACTION_LIMIT_MS = 10_000;
/** The same for what takes a record away from all that refer to it, and for taking that back. */
export const DELETION_LIMIT_MS = 30_000;
export const LOCK_LIMIT_MS = 3_000;

/**
 * The database ends every statement before this many milliseconds. A connection without an answer by then is
 * lost, and is given up (`Server`). The driver's own limit, `query_timeout`, would create a timer and a
 * closure per statement, which outlive it.
 */
export const LOST_MS = STATEMENT_LIMIT_MS + 5_000;

/**
 * The options of a pool. Each connection belongs to one caller at a time, whose statements wait for nobody
 * else's.
 */
export const POOL = { ...CONNECTION, lostMs: LOST_MS, Client: Client as unknown as new () => Client };

/** No connection was available in time. Only the text of the driver's error shows that. */
const NONE_TEXT = /^(timeout e|Connection terminated due to connection timeout|the connection was given up)/;
const LOST_TEXT = /^(Connection terminated|Client (has encountered a connection error|was closed))/;
/**
 * SQLSTATEs of connections that end: exceptions, shutdowns, crashes, session timeouts, and a primary that has
 * become a standby.
 */
const LOST_CODE = /^(08|57P|25P0[34]|25006)/;
const SOCKET_CODE = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)/;

/** Whether the database refused a change because the transaction, or all of its server, may only read. */
export const isReadOnlyRefusal = (error: unknown): boolean => isRefusal(error, READ_ONLY);

/**
 * Whether the database ended the transaction because it and others waited for each other. Nothing of it is
 * left, and the others go on.
 */
export const isDeadlock = (error: unknown): boolean => isRefusal(error, DEADLOCK);

/** Whether the disk of the database has no room for what a statement writes. Nothing of it is left. */
export const isFull = (error: unknown): boolean => isRefusal(error, DISK_FULL);

/** Whether the statement only failed because an earlier one had aborted the transaction. */
export const isAborted = (error: unknown): boolean => isRefusal(error, ABORTED);

function isRefusal(error: unknown, code: string): boolean {
  const { driverError = error } = (error ?? {}) as { driverError?: unknown };
  return driverError instanceof pg.DatabaseError && driverError.code === code;
}

/** Whether the error comes from a lost or unavailable connection, and so says nothing about the statement. */
export function isLost(error: unknown): boolean {
  return hadNone(error) || isWorthRepeating(error);
}

/** Whether a connection was lost and another one may be available at once. */
export function isWorthRepeating(error: unknown): boolean {
  const { driverError = error } = (error ?? {}) as { driverError?: unknown };
  const { code = '', message = '' } = (driverError ?? {}) as { code?: string; message?: string };
  if (driverError instanceof pg.DatabaseError) return LOST_CODE.test(code);
  return !hadNone(driverError) && (SOCKET_CODE.test(code) || LOST_TEXT.test(message));
}

function hadNone(error: unknown): boolean {
  return NONE_TEXT.test((error as Error | null)?.message ?? '');
}
