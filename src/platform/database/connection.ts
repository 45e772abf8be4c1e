import type { Writable } from 'node:stream';
import pg, { type ClientBase, type ClientConfig, type QueryResult, type QueryResultRow } from 'pg';

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

/** The socket of a connection, which the driver keeps but does not declare. */
export function streamOf(client: ClientBase): Writable {
  return (client as unknown as { connection: { stream: Writable } }).connection.stream;
}

/** A statement as it goes to the driver; one with a name is prepared once per connection. */
export interface Query {
  name?: string;
  text: string;
  values?: unknown[];
}

/**
 * What `client.query(query)` does. There the driver copies the object, property descriptor by property descriptor, which costs
 * more than to read a short answer; a query object of its own, made of text and values, it takes as it is.
 */
export async function submit<Row extends QueryResultRow>(
  client: ClientBase,
  { name, text, values }: Query,
): Promise<QueryResult<Row>> {
  try {
    return await new Promise<QueryResult<Row>>((resolve, reject) => {
      const callback = (error: Error | null, result: QueryResult<Row>) => (error ? reject(error) : resolve(result));
      client.query(Object.assign(new pg.Query(text, values), { name, callback }));
    });
  } catch (error) {
    // As the driver does: who sent it says more than where in the socket's stream the refusal was found.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
