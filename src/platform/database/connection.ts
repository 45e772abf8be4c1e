import pg, { type ClientConfig } from 'pg';
import { tracer } from '../observability/tracing.js';
import { watchStatements } from './driver.js';

/**
 * A connection whose `error` event is heard from its creation to its end: an event that nobody hears ends the process. The pool
 * listens only while nobody has the connection, and the message of its end may come in one piece with the answer before it, when
 * the next owner has had no time to listen. Nothing is lost by it: what is under way fails, the pool drops the connection.
 */
export class Client extends pg.Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    if (tracer) watchStatements(this, (query) => tracer?.statement(query) ?? null);
  }
}

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

/** The database ends a statement before this many milliseconds: what has not answered by then is gone, and its connection given up. */
export const LOST_MS = STATEMENT_LIMIT_MS + 5_000;

/** Connections of a pool, which belong to one caller at a time: its statements wait for nobody else's. */
export const POOL = { ...CONNECTION, query_timeout: LOST_MS, Client };
