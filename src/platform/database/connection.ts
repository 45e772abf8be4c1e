import pg, { type ClientConfig } from 'pg';

/**
 * A connection whose `error` event is heard from its creation to its end: an event that nobody hears ends the process. The pool
 * listens only while nobody has the connection, and the message of its end may come in one piece with the answer before it, when
 * the next owner has had no time to listen. Nothing is lost by it: what is under way fails, the pool drops the connection.
 */
export class Client extends pg.Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** How every connection of the service is opened: pipelining, and with limits in milliseconds on a statement and on connecting. */
export const CONNECTION = {
  pipeline: true,
  statement_timeout: 30_000,
  connectionTimeoutMillis: 10_000,
} satisfies ClientConfig & { pipeline: true };

/** The database ends a statement before this many milliseconds: what has not answered by then is gone, and its connection given up. */
export const LOST_MS = CONNECTION.statement_timeout + 5_000;

/** Connections of a pool, which belong to one caller at a time: its statements wait for nobody else's. */
export const POOL = { ...CONNECTION, query_timeout: LOST_MS, Client };
